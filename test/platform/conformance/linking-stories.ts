import { describe, expect, it } from "vitest";
import { BETHPAGE, HOUR, MINUTE, START, type OpenSandbox } from "../sandbox-harness.ts";
import { arrivedAt, problem, repeated, wide } from "./replies.ts";

/** Sessions, codes, approvals and tokens. */
export function describeLinking(open: OpenSandbox): void {
  describe("linking", () => {
    it("links a driver by code and approval on the device, and returns the tokens once", async () => {
      await open().world({ autoApproveMs: null });
      const begun = await open().begin("ana@example.com");
      const path = { sessionId: String(begun.body.sessionId) };
      expect(begun.body).toMatchObject({
        state: "otp_required",
        otp: { channel: "email", destination: "a***@e***" },
      });

      const code = await open().codeFor("ana@example.com");
      const waiting = await open().call("answerOtp", { path, body: { code } });
      expect(waiting.body).toMatchObject({ state: "approval_required" });
      expect((await open().call("readSession", { path })).body).not.toHaveProperty("tokens");

      await open().control("POST", `/sandbox/platform/sessions/${path.sessionId}/approve`);
      const active = await open().call("readSession", { path });
      expect(active.body).toMatchObject({ state: "active", tokens: { expiresIn: 3600 } });
      const later = await open().call("readSession", { path });
      expect([later.body.state, later.body.tokens]).toEqual(["active", undefined]);
    });

    it("texts the code for an e-mail with +sms, and masks the number", async () => {
      const { body } = await open().begin("ana+sms@example.com");
      expect(body.otp).toMatchObject({
        channel: "sms",
        destination: expect.stringMatching(/^\*{3} \*{3} \d{4}$/),
      });
    });

    it("rejects a wrong password and locks the account after five", async () => {
      const refusals = [];
      for (let tries = 0; tries < 5; tries++)
        refusals.push(problem(await open().begin("ana@example.com", "wrong")));
      expect(refusals).toEqual([...repeated(4, [401, "invalid_credentials"]), [423, "account_locked"]]);
      expect(problem(await open().begin("ana@example.com"))).toEqual([423, "account_locked"]);
      await open().world({ now: START + 15 * MINUTE });
      expect((await open().begin("ana@example.com")).status).toBe(201);
    });

    it("counts down the tries of a code, then locks", async () => {
      const { body } = await open().begin("ana@example.com");
      const path = { sessionId: String(body.sessionId) };
      const right = await open().codeFor("ana@example.com");
      const code = right === "000000" ? "111111" : "000000";
      const left = [];
      for (let tries = 0; tries < 5; tries++)
        left.push((await open().call("answerOtp", { path, body: { code } })).body);
      expect(left.map(({ code, attemptsLeft }) => [code, attemptsLeft])).toEqual(
        [4, 3, 2, 1, 0].map((count) => ["otp_invalid", count]),
      );
      expect(problem(await open().call("answerOtp", { path, body: { code: right } }))).toEqual([
        410,
        "otp_expired",
      ]);
      expect((await open().call("readSession", { path })).body.state).toBe("expired");
      expect(problem(await open().begin("ana@example.com"))).toEqual([423, "account_locked"]);
    });

    it("expires a code after ten minutes and resends it after thirty seconds", async () => {
      const path = { sessionId: String((await open().begin("ana@example.com")).body.sessionId) };
      const first = await open().codeFor("ana@example.com");
      const early = await open().call("resendOtp", { path });
      expect([...problem(early), early.headers.get("retry-after")]).toEqual([429, "rate_limited", "30"]);
      await open().world({ now: START + 10 * MINUTE });
      expect(problem(await open().call("answerOtp", { path, body: { code: first } }))).toEqual([
        410,
        "otp_expired",
      ]);

      const again = { sessionId: String((await open().begin("ana@example.com")).body.sessionId) };
      await open().world({ now: START + 11 * MINUTE });
      expect((await open().call("resendOtp", { path: again })).status).toBe(202);
      const code = await open().codeFor("ana@example.com");
      expect((await open().call("answerOtp", { path: again, body: { code } })).body.state).toBe("active");
    });

    it("reports a denied approval and an unknown session", async () => {
      await open().world({ autoApproveMs: null });
      const path = { sessionId: String((await open().begin("ana@example.com")).body.sessionId) };
      const code = await open().codeFor("ana@example.com");
      await open().call("answerOtp", { path, body: { code } });
      await open().control("POST", `/sandbox/platform/sessions/${path.sessionId}/deny`);
      expect((await open().call("readSession", { path })).body.state).toBe("denied");
      expect(problem(await open().call("answerOtp", { path, body: { code } }))).toEqual([
        410,
        "approval_denied",
      ]);

      const none = { sessionId: "nobody" };
      expect([
        problem(await open().call("readSession", { path: none })),
        problem(await open().call("answerOtp", { path: none, body: { code } })),
        problem(await open().call("resendOtp", { path: none })),
      ]).toEqual(repeated(3, [404, "session_not_found"]));
    });

    it("rotates the refresh token and returns the same pair again within a minute", async () => {
      const { refreshToken } = await open().link();
      const fresh = await open().call("refreshTokens", { body: { refreshToken } });
      await open().world({ now: START + MINUTE });
      const repeated = await open().call("refreshTokens", { body: { refreshToken } });
      expect(repeated.body).toEqual(fresh.body);
      expect((await open().call("readDriver", { token: String(fresh.body.accessToken) })).status).toBe(200);
      expect(problem(await open().call("refreshTokens", { body: { refreshToken } }))).toEqual([
        401,
        "invalid_grant",
      ]);
    });

    it("rejects a used refresh token after the grace period", async () => {
      const { refreshToken } = await open().link();
      await open().call("refreshTokens", { body: { refreshToken } });
      await open().world({ now: START + MINUTE + 1 });
      expect(problem(await open().call("refreshTokens", { body: { refreshToken } }))).toEqual([
        401,
        "invalid_grant",
      ]);
    });

    it("revokes both tokens at the end of a session and rejects calls without a valid token", async () => {
      const { token, refreshToken } = await open().link();
      expect((await open().call("endSession", { token })).status).toBe(204);
      expect(problem(await open().call("refreshTokens", { body: { refreshToken } }))).toEqual([
        401,
        "invalid_grant",
      ]);
      const block = { blockId: "blk_1" };
      const refusals = await Promise.all([
        open().call("endSession", { token }),
        open().call("readDriver", { token }),
        open().call("listWarehouses", { token }),
        open().call("listOffers", { token }),
        open().accept(token, "of_1", { key: "12345678" }),
        open().call("listBlocks", { token, query: wide }),
        open().call("forfeitBlock", { token, path: block }),
        open().call("checkIn", { token, path: block, body: arrivedAt(BETHPAGE) }),
        open().call("readEarnings", { token, query: wide }),
      ]);
      expect(refusals.map(problem)).toEqual(repeated(9, [401, "invalid_token"]));
    });

    it("expires an access token", async () => {
      const { token } = await open().link();
      await open().world({ now: START + HOUR - 1 });
      expect((await open().call("readDriver", { token })).status).toBe(200);
      await open().world({ now: START + HOUR });
      expect(problem(await open().call("readDriver", { token }))).toEqual([401, "invalid_token"]);
    });
  });
}
