import { describe, expect, it } from "vitest";
import { applyFramePolicy } from "../../worker/http/frame-policy.ts";

const GIVEN = {
  "content-security-policy": "default-src 'self'; frame-ancestors 'none'; base-uri 'none'",
  "permissions-policy": "camera=(), geolocation=(self)",
  "referrer-policy": "strict-origin-when-cross-origin",
};

function allowed(given: Record<string, string>, isFramed = false): Record<string, string> {
  const headers = new Headers(given);
  applyFramePolicy(headers, { frameOrigins: ["https://platform.example"], isFramed });
  return Object.fromEntries(headers);
}

describe("the headers of a page", () => {
  it("allow framing the platform's pages with camera access, and forbid framing ours", () => {
    expect(allowed(GIVEN)).toEqual({
      "content-security-policy":
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; frame-src 'self' https://platform.example",
      "permissions-policy": 'camera=(self "https://platform.example"), geolocation=(self)',
      "referrer-policy": "strict-origin-when-cross-origin",
    });
  });

  it("allow our own pages to frame the arrived page, and send no referrer from it", () => {
    const { "content-security-policy": policy, "referrer-policy": referrer } = allowed(GIVEN, true);
    expect(policy).toContain("frame-ancestors 'self'");
    expect(referrer).toBe("no-referrer");
  });

  it("keep frame sources that are already allowed", () => {
    const policy = "frame-src https://js.stripe.com; default-src 'self'";
    expect(allowed({ "content-security-policy": policy })).toEqual({
      "content-security-policy":
        "frame-src https://js.stripe.com https://platform.example; default-src 'self'",
    });
  });
});
