import { render } from "./main.tsx";
import { pageRoot } from "./page-root.ts";

// The entry of every page but the public ones, which need no code at first.
render(pageRoot());
