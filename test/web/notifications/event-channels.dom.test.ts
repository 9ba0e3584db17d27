import { cleanup, screen } from "@testing-library/react";
import { createElement, useState } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import {
  NOTIFICATION_EVENTS,
  REMINDERS,
  type Channels,
  type QuietHours,
} from "../../../db/shapes/notifications.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { EventChannels } from "../../../web/features/notifications/event-channels.tsx";
import { QuietHoursEditor } from "../../../web/features/notifications/quiet-hours-editor.tsx";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));

const EVENTS = { notifications: NOTIFICATION_EVENTS, reminders: REMINDERS };

type Given = { group: keyof typeof EVENTS; channelsOf: (name: string) => Channels; hasPush: boolean };

/** A group of events, as the driver chose. */
async function openGroup({ group, channelsOf, hasPush }: Given) {
  const settings = Object.fromEntries(EVENTS[group].map((name) => [name, channelsOf(name)]));
  const onChange = vi.fn<(event: string, switched: Partial<Channels>) => void>();
  const part = createElement(EventChannels, { group, settings: settings as never, onChange, hasPush });
  return { ...(await renderPart(part)), onChange };
}

/** The switches by name, with whether they are on. */
function switches(): [name: string, isOn: boolean][] {
  const all: [string, boolean][] = [];
  const note = (name: string, one: Element) =>
    all.push([name, one.getAttribute("aria-checked") === "true"]) > 0;
  screen.queryAllByRole("switch", { name: note });
  return all;
}

it.each(["notifications", "reminders"] as const)(
  "has a switch for each way of each event, as the driver chose: %s",
  async (group) => {
    const names: readonly string[] = EVENTS[group];
    for (const chosen of names) {
      const channelsOf = (name: string) => ({ text: name === chosen, push: name !== chosen });
      await openGroup({ group, channelsOf, hasPush: true });
      const both = switches();
      expect(new Set(both.map(([name]) => name)).size).toBe(2 * names.length);
      expect(both.map(([, isOn]) => isOn)).toEqual(
        names.flatMap((name) => [name === chosen, name !== chosen]),
      );
      cleanup();
      await openGroup({ group, channelsOf, hasPush: false });
      expect(switches()).toEqual(both.filter(([name]) => name.endsWith(": Text")));
      cleanup();
    }
  },
);

it.each(["notifications", "reminders"] as const)(
  "changes the way of the event that is switched, and no other: %s",
  async (group) => {
    const channelsOf = () => ({ text: true, push: false });
    const { user, onChange } = await openGroup({ group, channelsOf, hasPush: true });
    for (const [name] of switches()) await user.click(screen.getByRole("switch", { name }));
    expect(onChange.mock.calls).toEqual(
      EVENTS[group].flatMap((event) => [
        [event, { text: false }],
        [event, { push: true }],
      ]),
    );
  },
);

it("names each event in words of its own", async () => {
  const words: string[] = [];
  for (const group of ["notifications", "reminders"] as const) {
    const channelsOf = () => ({ text: true, push: true });
    const { html } = await openGroup({ group, channelsOf, hasPush: false });
    words.push(...textsIn(html()).filter((text) => text !== "Text"));
    cleanup();
  }
  expect(words).toHaveLength(2 * (NOTIFICATION_EVENTS.length + REMINDERS.length));
  expect(new Set(words).size).toBe(words.length);
});

/** The editor on a screen that keeps what is chosen. */
async function openQuietHours(first: QuietHours | null) {
  const changes: (QuietHours | null)[] = [];
  function Screen() {
    const [quietHours, setQuietHours] = useState(first);
    const onChange = (next: QuietHours | null) => {
      changes.push(next);
      setQuietHours(next);
    };
    return createElement(QuietHoursEditor, { quietHours, onChange });
  }
  const { user } = await renderPart(createElement(Screen));
  const times = () =>
    screen
      .queryAllByRole<HTMLSelectElement>("combobox")
      .flatMap(({ selectedOptions }) => textsIn(selectedOptions[0]?.innerHTML ?? ""));
  return {
    user,
    shown: () => [...switches().map(([, isOn]) => isOn), ...times()],
    changes: () => changes,
  };
}

it("has the quiet hours once there are some, from ten to six at first", async () => {
  const { user, shown, changes } = await openQuietHours(null);
  expect(shown()).toEqual([false]);
  const toggle = () => user.click(screen.getByRole("switch", { name: "Quiet hours" }));
  await toggle();
  expect(shown()).toEqual([true, "10:00 PM", "6:00 AM"]);
  await toggle();
  expect(shown()).toEqual([false]);
  expect(changes()).toEqual([{ fromMinute: 1_320, toMinute: 360 }, null]);
});

it("saves quiet hours once a field is left, each change once", async () => {
  const { user, shown, changes } = await openQuietHours({ fromMinute: 1_320, toMinute: 390 });
  expect(shown()).toEqual([true, "10:00 PM", "6:30 AM"]);
  await user.selectOptions(screen.getByRole("combobox", { name: "Until" }), "420");
  await user.tab();
  await expect.poll(changes).toEqual([{ fromMinute: 1_320, toMinute: 420 }]);
  await user.tab();
  cleanup();
  expect(changes()).toHaveLength(1);
});

it("saves quiet hours that were chosen just before the screen is left", async () => {
  const { user, changes } = await openQuietHours({ fromMinute: 1_320, toMinute: 390 });
  await user.selectOptions(screen.getByRole("combobox", { name: "From" }), "1380");
  cleanup();
  expect(changes()).toEqual([{ fromMinute: 1_380, toMinute: 390 }]);
});
