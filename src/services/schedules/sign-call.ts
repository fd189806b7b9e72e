import { createHash, createHmac, randomUUID } from 'node:crypto';

const VALID_SECONDS = 300;

/** The signature that QStash puts on a delivery: a JWT over the address and the raw body. */
export function signCall({
  key,
  url,
  body,
  now = Date.now(),
}: {
  key: string;
  url: string;
  body: string;
  now?: number;
}): string {
  const seconds = Math.floor(now / 1_000);
  const claims = {
    iss: 'Upstash',
    sub: url,
    iat: seconds,
    nbf: seconds,
    exp: seconds + VALID_SECONDS,
    jti: randomUUID(),
    body: createHash('sha256').update(body).digest('base64url'),
  };
  const content = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`;
}

const encoded = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
