/** What `admit_ingress` says of a request that it does not let in. */
type Refusal =
  | { outcome: 'unknown_endpoint' | 'ingress_payload_rejected' | 'ingress_dedup_dropped' }
  | { outcome: 'ingress_rate_limited'; retryAfterMs: number };

/** The same in the words of those who answer the sender. */
export type Refused =
  | { outcome: 'duplicate' | 'unauthorised' | 'too-large' }
  | { outcome: 'rate-limited'; retryAfterMs: number };

export function refused(refusal: Refusal): Refused {
  switch (refusal.outcome) {
    case 'unknown_endpoint':
      return { outcome: 'unauthorised' };
    case 'ingress_payload_rejected':
      return { outcome: 'too-large' };
    case 'ingress_dedup_dropped':
      return { outcome: 'duplicate' };
    case 'ingress_rate_limited':
      return { outcome: 'rate-limited', retryAfterMs: refusal.retryAfterMs };
    default: {
      const never: never = refusal;
      throw new TypeError(`Expected an outcome of the gate, got ${JSON.stringify(never)}`);
    }
  }
}
