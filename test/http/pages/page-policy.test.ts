import { describe, expect, it } from "vitest";
import { applyPagePolicy } from "../../../worker/http/pages/page.ts";

const GIVEN = {
  "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "permissions-policy": "camera=(), geolocation=(self)",
  "referrer-policy": "strict-origin-when-cross-origin",
};

function allowed(
  given: Record<string, string>,
  {
    isFramed = false,
    hasInlineStyles = false,
    connectOrigins = [],
    scriptOrigins = [],
    recorderOrigins = [],
    frameOrigins = ["https://platform.example"],
  }: {
    isFramed?: boolean;
    hasInlineStyles?: boolean;
    connectOrigins?: string[];
    scriptOrigins?: string[];
    recorderOrigins?: string[];
    frameOrigins?: string[];
  } = {},
): Record<string, string> {
  const headers = new Headers(given);
  applyPagePolicy(headers, {
    frameOrigins,
    connectOrigins,
    scriptOrigins,
    recorderOrigins,
    hasInlineStyles,
    isFramed,
  });
  return Object.fromEntries(headers);
}

describe("the headers of a page", () => {
  it("allows inline styles in place of hashes, beside which browsers would ignore them", () => {
    const styles = (policy: string) =>
      allowed({ "content-security-policy": policy }, { hasInlineStyles: true, frameOrigins: [] })[
        "content-security-policy"
      ];
    expect(styles("style-src 'self' 'sha256-abc' https://fonts.example")).toBe(
      "style-src 'self' https://fonts.example 'unsafe-inline'",
    );
    expect(styles("default-src 'self'")).toBe("default-src 'self'; style-src 'self' 'unsafe-inline'");
  });

  it("allow framing the platform's pages with camera access, and forbid framing ours", () => {
    expect(allowed(GIVEN)).toEqual({
      "content-security-policy":
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; frame-src 'self' https://platform.example",
      "permissions-policy": 'camera=(self "https://platform.example"), geolocation=(self)',
      "referrer-policy": "strict-origin-when-cross-origin",
    });
  });

  it("allow our own pages to frame the arrived page, and send no referrer from it", () => {
    const { "content-security-policy": policy, "referrer-policy": referrer } = allowed(GIVEN, {
      isFramed: true,
    });
    expect(policy).toContain("frame-ancestors 'self'");
    expect(referrer).toBe("no-referrer");
  });

  it("let scripts call an outside user pool, and no other host of its maker", () => {
    const pool = "https://cognito-idp.us-east-1.amazonaws.com";
    const policy = "default-src 'self'; connect-src 'self' https://api.stripe.com";
    expect(allowed({ "content-security-policy": policy }, { connectOrigins: [pool] })).toEqual({
      "content-security-policy": `default-src 'self'; connect-src 'self' https://api.stripe.com ${pool}; frame-src 'self' https://platform.example`,
    });
  });

  it("let scripts set styles only where the chat is configured", () => {
    const policy = { "content-security-policy": "default-src 'self'; style-src 'self' 'sha256-abc='" };
    // Browsers ignore it beside a hash.
    expect(allowed(policy, { hasInlineStyles: true })["content-security-policy"]).toMatch(
      /style-src 'self' 'unsafe-inline'(?:;|$)/,
    );
    expect(allowed(policy)["content-security-policy"]).toContain("style-src 'self' 'sha256-abc='");
    expect(allowed(policy)["content-security-policy"]).not.toContain("unsafe");
  });

  it("load the script of the challenge and its frame only if it is on", () => {
    const challenge = "https://challenges.cloudflare.com";
    const policy = "default-src 'self'; script-src 'self'";
    expect(allowed({ "content-security-policy": policy }, { scriptOrigins: [challenge] })).toEqual({
      "content-security-policy": `default-src 'self'; script-src 'self' ${challenge}; frame-src 'self' https://platform.example ${challenge}`,
    });
    expect(JSON.stringify(allowed({ "content-security-policy": policy }))).not.toContain(challenge);
  });

  it("load the recorder's scripts and let it send, and nothing else, only where there is one", () => {
    const recorder = ["https://www.recorder.example", "https://*.recorder.example"];
    const policy =
      "default-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; style-src 'self'";
    expect(
      allowed({ "content-security-policy": policy }, { recorderOrigins: recorder, frameOrigins: [] }),
    ).toEqual({
      "content-security-policy": `default-src 'self'; script-src 'self' ${recorder.join(" ")}; connect-src 'self' ${recorder.join(" ")}; img-src 'self'; style-src 'self'`,
    });
    expect(allowed({ "content-security-policy": policy }, { frameOrigins: [] })).toEqual({
      "content-security-policy": policy,
    });
  });

  it("keep frame sources that are already allowed", () => {
    const policy = "frame-src https://js.stripe.com; default-src 'self'";
    expect(allowed({ "content-security-policy": policy })).toEqual({
      "content-security-policy":
        "frame-src https://js.stripe.com https://platform.example; default-src 'self'",
    });
  });

  it("let each framed origin use the camera, whoever may already", () => {
    const given = { "permissions-policy": "geolocation=(self), camera=(self), usb=()" };
    const frameOrigins = ["https://platform.example", "https://selfie.example"];
    expect(allowed(given, { frameOrigins })).toEqual({
      "permissions-policy":
        'geolocation=(self), camera=(self "https://platform.example" "https://selfie.example"), usb=()',
    });
  });

  it("stay as they are where nothing is framed, called or loaded", () => {
    expect(allowed(GIVEN, { frameOrigins: [] })).toEqual(GIVEN);
  });

  it("read a policy however it is spaced", () => {
    const given = { "content-security-policy": " frame-src  https://js.stripe.com ;default-src 'self'; " };
    expect(allowed(given)).toEqual({
      "content-security-policy":
        "frame-src https://js.stripe.com https://platform.example; default-src 'self'",
    });
  });
});
