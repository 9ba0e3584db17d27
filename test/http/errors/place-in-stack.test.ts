import { expect, it } from "vitest";
import { placeInStack } from "../../../worker/routes/error-reports.ts";

it.each([
  ["Error: x\n    at render (https://a.example/assets/feed-Bx3f9_2a.js:1:3812)\n    at b", "render feed.js"],
  ["Error: x\n    at async load (https://a.example/assets/index-0123abcd.js:1:2)", "load index.js"],
  ["Error: x\n    at https://a.example/assets/feed-Bx3f9_2a.js:1:3812", "feed.js"],
  ["render@https://a.example/assets/feed-Bx3f9_2a.js:1:3812\n", "render feed.js"],
  ["Error: was\n    at home (feed.js:1:2) on Main St 7\n    at render (feed.js:1:2)", "render feed.js"],
  ["Error: nothing", null],
  [null, null],
])("names the place of %j without what a build or a driver changes in it", (stack, place) => {
  expect(placeInStack(stack)).toBe(place);
});
