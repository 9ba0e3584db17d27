/** The user pool that signs drivers in, and what its tokens must carry. */
export type IdentityConfig = {
  /** `none`: its settings are malformed, and nobody signs in. */
  kind: "embedded" | "cognito" | "none";
  /** Where the page's Cognito client posts to; a path for the embedded pool. */
  endpoint: string;
  issuer: string;
  poolId: string;
  clientId: string;
};

/** Part of every SRP password verifier: changing it would lock everyone out. */
const EMBEDDED_POOL_ID = "local_Jornada1";
const EMBEDDED_CLIENT_ID = "jornadaweb";

/** In place of a user pool; its id is well-formed, and no pool has it. */
export const NO_POOL: IdentityConfig = {
  kind: "none",
  endpoint: "/identity/",
  issuer: "",
  poolId: "none_0",
  clientId: "",
};

export function embeddedPool(publicUrl: string): IdentityConfig {
  const issuer = `${publicUrl}/identity/${EMBEDDED_POOL_ID}`;
  return {
    kind: "embedded",
    endpoint: "/identity/",
    issuer,
    poolId: EMBEDDED_POOL_ID,
    clientId: EMBEDDED_CLIENT_ID,
  };
}

export function cognitoPool(poolId: string, clientId: string): IdentityConfig {
  const region = poolId.slice(0, poolId.lastIndexOf("_"));
  const endpoint = `https://cognito-idp.${region}.amazonaws.com/`;
  return { kind: "cognito", endpoint, issuer: `${endpoint}${poolId}`, poolId, clientId };
}
