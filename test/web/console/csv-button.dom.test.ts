import { screen, within } from "@testing-library/react";
import { createElement, type ComponentProps } from "react";
import { toast } from "sonner";
import { afterEach, expect, it, vi } from "vitest";
import { CsvButton, ExportButton } from "../../../web/console/tables/csv-button.tsx";
import type { ExportResponse } from "../../../worker/contract/console/operator-exports.ts";
import { OWNER } from "../../support/console-part.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

afterEach(() => void vi.restoreAllMocks());

type City = ExportResponse["cities"][number];
type Order = ComponentProps<typeof ExportButton<City>>["order"];

const EXPORT = "POST /ops/v1/exports";
const EMPTY: ExportResponse = {
  isCut: false,
  payments: [],
  refunds: [],
  disputes: [],
  drivers: [],
  acts: [],
  cities: [{ city: "Austin", spots: 5, taken: 3, waiting: 0, next: null }],
  fleet: [],
  comments: [],
};
const DAYS = { from: "2026-06-01", to: "2026-06-10", zone: "UTC" };

/** The files that were handed to the browser, with their texts. */
function watchFiles() {
  const blobs: Blob[] = [];
  const files: Promise<[name: string, text: string]>[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    blobs.push(blob as Blob);
    return `blob:${blobs.length}`;
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(this: HTMLAnchorElement) {
    const blob = blobs[Number(this.href.replace("blob:", "")) - 1];
    files.push(Promise.all([this.download, blob?.text() ?? ""]));
  });
  return () => Promise.all(files);
}

async function openExport(order: Order = { table: "cities" }) {
  const network = scriptNetwork();
  const files = watchFiles();
  const warning = vi.spyOn(toast, "warning");
  const part = await renderPart(
    createElement(ExportButton<City>, {
      order,
      table: "Spots",
      columns: () => [{ title: "City", value: ({ city }) => city }],
      rowsOf: ({ cities }) => cities,
    }),
    { operator: OWNER },
  );
  await part.user.click(screen.getByRole("button", { name: "CSV: Spots" }));
  const sheet = within(screen.getByRole("dialog"));
  return {
    ...network,
    ...part,
    files,
    warnings: () => warning.mock.calls.map(([words]) => words),
    sheet,
    write: (reason: string) => part.user.type(sheet.getByLabelText("Why"), reason),
    press: (name: string) => part.user.click(sheet.getByRole("button", { name })),
    sent: () => network.calls.filter(({ operation }) => operation === EXPORT),
  };
}

it("takes a table that names somebody for a reason, once, and closes", async () => {
  const { answer, write, press, sent, files, warnings, sheet } = await openExport();
  const arrival = Promise.withResolvers<void>();
  answer({ [EXPORT]: { body: EMPTY, after: arrival.promise } });
  await press("Download");
  expect(await sheet.findByText("Say why, in three letters at least.")).toBeTruthy();
  expect(sent()).toEqual([]);
  await write("An audit");
  await press("Download");
  await press("Download");
  expect([sent().length, await files()]).toEqual([1, []]);
  arrival.resolve();
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  expect(sent().map(({ body }) => body)).toEqual([{ table: "cities", reason: "An audit" }]);
  expect(await files()).toEqual([["cities.csv", "\uFEFFCity\r\nAustin\r\n"]]);
  expect(warnings()).toEqual([]);
});

it.each<[order: Order, words: string]>([
  [{ table: "cities" }, "The file ends after 5,000 rows, and the list goes on."],
  [{ table: "payments", ...DAYS }, "The file ends after 5,000 rows. Choose fewer days for the rest."],
])(
  "says that a file ends before its table, and advises fewer days where it is one of days: %j",
  async (order, words) => {
    const { answer, write, press, warnings } = await openExport(order);
    answer({ [EXPORT]: { body: { ...EMPTY, isCut: true } } });
    await write("An audit");
    await press("Download");
    await expect.poll(warnings).toEqual([words]);
  },
);

it("saves nothing that was refused, says why, and asks again under the same key", async () => {
  const { answer, write, press, sent, files, sheet } = await openExport();
  answer({ [EXPORT]: [refusalReply("forbidden"), "lost"] });
  await write("An audit");
  await press("Download");
  expect(await sheet.findByText(/^You can't do this/u)).toBeTruthy();
  await press("Download");
  expect(await sheet.findByText("We couldn't reach the server.", { exact: false })).toBeTruthy();
  expect([new Set(sent().map(({ headers }) => headers.get("idempotency-key"))).size, await files()]).toEqual([
    1,
    [],
  ]);
});

it("hands over at once a table that names nobody, and none without rows", async () => {
  const files = watchFiles();
  const columns = () => [{ title: "City", value: (city: string) => city }];
  const button = (rows: string[]) =>
    createElement(CsvButton<string>, { name: "cities", table: "Spots", columns, rows });
  const empty = await renderPart(button([]));
  expect([buttonNames(), screen.getByRole<HTMLButtonElement>("button").disabled]).toEqual([
    ["CSV: Spots"],
    true,
  ]);
  empty.unmount();
  const { user } = await renderPart(button(["Austin", "=1+1"]));
  await user.click(screen.getByRole("button"));
  expect(await files()).toEqual([["cities.csv", "\uFEFFCity\r\nAustin\r\n'=1+1\r\n"]]);
});
