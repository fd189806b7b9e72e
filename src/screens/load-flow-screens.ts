import { type FlowId, flowFileName, registry } from '../../machines/registry.ts';
import type { AnyFlowScreens } from './kit/flow-screens.ts';

export async function loadFlowScreens(): Promise<Record<FlowId, AnyFlowScreens>> {
  const ids = Object.keys(registry) as FlowId[];
  const entries = await Promise.all(
    ids.map(async (id) => {
      const file = `./flows/${flowFileName(id)}.ts`;
      const { flow } = (await import(file)) as { flow?: AnyFlowScreens };
      if (!flow)
        throw new Error(`src/screens/flows/${flowFileName(id)}.ts must export its screens as "flow"`);
      return [id, flow] as const;
    }),
  );
  return Object.fromEntries(entries) as Record<FlowId, AnyFlowScreens>;
}
