import type { Sql } from '../../store/database.ts';
import type { EndpointKind } from './workspaces.ts';

type EndpointLine = {
  endpointId: string;
  kind: EndpointKind;
  enabled: boolean;
  createdAt: Date;
  ingressRps: number;
  maxPayloadBytes: number;
  hashDropWindowSec: number;
};

export function makeEndpoints(sql: Sql) {
  return { list, limit, disable };

  function list(workspaceId: string): Promise<EndpointLine[]> {
    return sql`
      select endpoint_id as "endpointId", kind, enabled, created_at as "createdAt", ingress_rps as "ingressRps",
        max_payload_bytes as "maxPayloadBytes", hash_drop_window_sec as "hashDropWindowSec"
      from workspace_endpoints where workspace_id = ${workspaceId} order by created_at, endpoint_id`;
  }

  async function limit(
    workspaceId: string,
    { endpointId, ingressRps, maxPayloadBytes, hashDropWindowSec }: EndpointLine,
  ): Promise<void> {
    await sql`
      update workspace_endpoints set ingress_rps = ${ingressRps}, max_payload_bytes = ${maxPayloadBytes},
        hash_drop_window_sec = ${hashDropWindowSec}, updated_at = now()
      where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}`;
  }

  /** Kept for the audit; its secret opens nothing any more. */
  async function disable(workspaceId: string, endpointId: string): Promise<void> {
    await sql`
      update workspace_endpoints set enabled = false, updated_at = now()
      where workspace_id = ${workspaceId} and endpoint_id = ${endpointId}`;
  }
}
