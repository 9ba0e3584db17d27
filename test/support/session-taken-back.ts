import { afterAll } from "vitest";
import { sessionStore } from "../../web/api/session/session.ts";

// Files of the page's suite share its modules: the session that one leaves would be the next file's.
afterAll(() => sessionStore.setState(() => undefined));
