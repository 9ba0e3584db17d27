import { hydrate, render } from "./main.tsx";
import { isWhole, pageRoot } from "./page-root.ts";

// The entry of every page but the public ones, which need no code at first.
const root = pageRoot();
if (isWhole(root)) void hydrate(root);
else render(root);
