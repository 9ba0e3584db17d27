import "./language-tag.ts";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { DEVICE_TIME_ZONE, formatClock, formatDate } from "../../features/language/format.ts";

/** The tokens of the page's colors, which differ by theme. */
const COLORS = ["good", "warn", "bad", "ink", "ink-soft", "edge", "line"] as const;
export type PlotColor = (typeof COLORS)[number];

/** One row of values of a plot. Null is a gap. */
export type PlotSeries = {
  label: string;
  color: PlotColor;
  kind: "bars" | "line" | "dashes" | "area";
  values: readonly (number | null)[];
};

const HEIGHT = 180;
const SECOND_MS = 1_000;

/**
 * The picture of some series over time, drawn anew for another width or theme. It says nothing to a screen reader: the table
 * beside it does.
 * @param span how long each value's time is, which a bar is as wide as
 */
export function Plot({
  at,
  span,
  series,
  height = HEIGHT,
  top,
  formatValue,
  onHover,
}: {
  at: readonly number[];
  span: number;
  series: readonly PlotSeries[];
  height?: number;
  /** The greatest value of the scale, for pictures that are compared; else of what it shows. */
  top?: number | undefined;
  formatValue: (value: number) => string;
  onHover?: (index: number | null) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const palette = usePalette();
  const hover = useRef(onHover);
  useEffect(() => {
    hover.current = onHover;
  });
  useEffect(() => {
    if (!box.current || width === 0) return undefined;
    const plot = new uPlot(
      optionsOf({
        at,
        width,
        height,
        span,
        series,
        top,
        palette,
        formatValue,
        onHover: (index) => hover.current?.(index),
      }),
      [at.map((time) => time / SECOND_MS), ...series.map(({ values }) => [...values])],
      box.current,
    );
    return () => plot.destroy();
  }, [at, span, series, height, top, formatValue, width, palette]);
  return <div ref={box} aria-hidden style={{ height }} className="min-w-0 overflow-hidden" />;
}

function optionsOf({
  at,
  width,
  height,
  span,
  series,
  top,
  palette,
  formatValue,
  onHover,
}: {
  at: readonly number[];
  width: number;
  height: number;
  span: number;
  series: readonly PlotSeries[];
  top: number | undefined;
  palette: string;
  formatValue: (value: number) => string;
  onHover: (index: number | null) => void;
}): uPlot.Options {
  const values = palette.split(SEPARATOR);
  const color = (token: PlotColor) => values[COLORS.indexOf(token)] ?? "";
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const axis = { font, stroke: color("ink-soft"), ticks: { show: false } };
  return {
    width,
    height,
    // On the right half of the widest label: the last day's is centered on the edge.
    padding: [8, 40, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { show: false } },
    scales: {
      // The last value's time is as long as the others'. Where it is the only one, the library's own axis spans years.
      x: { range: [(at[0] ?? 0) / SECOND_MS, ((at.at(-1) ?? 0) + span) / SECOND_MS] },
      y: { range: (_plot, least, most) => scaleOf(least, top ?? most) },
    },
    axes: [
      {
        ...axis,
        grid: { show: false },
        size: 28,
        space: 76,
        values: (_plot, splits, _index, _space, step) =>
          splits.map((second) => formatTick(second * SECOND_MS, step * SECOND_MS)),
      },
      {
        ...axis,
        size: (_plot, values) => 14 + 7.5 * Math.max(2, ...(values ?? []).map((value) => value.length)),
        grid: { stroke: color("line"), width: 1 },
        space: 36,
        values: (_plot, splits) => splits.map((value) => formatValue(value)),
      },
    ],
    series: [{}, ...series.map((one) => toSeries(one, { color, span }))],
    hooks: { setCursor: [({ cursor }) => onHover(cursor.idx ?? null)] },
  };
}

function scaleOf(least: number, most: number): [number, number] {
  return [Math.min(0, least), most > 0 ? most * 1.08 : 1];
}

function toSeries(
  { kind, color: token }: PlotSeries,
  { color, span }: { color: (token: PlotColor) => string; span: number },
): uPlot.Series {
  const stroke = color(token);
  const plain = { points: { show: false } };
  switch (kind) {
    case "bars":
      return {
        ...plain,
        fill: stroke,
        width: 0,
        // A bar begins at its time, and is at most as wide as a day's on a desk.
        paths: uPlot.paths.bars?.({ align: 1, size: [0.85, span >= DAY_MS ? 40 : 24] }),
      };
    case "area":
      return { ...plain, fill: stroke, width: 0, paths: uPlot.paths.stepped?.({ align: 1 }) };
    case "line":
      return { ...plain, stroke, width: 2 };
    case "dashes":
      return { ...plain, stroke, width: 1.5, dash: [4, 3], paths: uPlot.paths.stepped?.({ align: 1 }) };
  }
}

/** Days are named where they begin, also among hours. */
function formatTick(at: number, stepMs: number): string {
  return stepMs >= DAY_MS || new Date(at).getHours() === 0
    ? formatDate(at, DEVICE_TIME_ZONE)
    : formatClock(at, DEVICE_TIME_ZONE);
}

function useWidth(box: React.RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, [box]);
  return width;
}

const SEPARATOR = ";";

/** The values of all colors, in their order: of the present theme, and of the contrast that the device asks for. */
function usePalette(): string {
  return useSyncExternalStore(subscribeToPalette, readPalette, () => "");
}

function readPalette(): string {
  const style = getComputedStyle(document.documentElement);
  return COLORS.map((token) => style.getPropertyValue(`--${token}`).trim()).join(SEPARATOR);
}

const MEDIA = ["(forced-colors: active)", "(prefers-contrast: more)"];

function subscribeToPalette(onChange: () => void): () => void {
  const observer = new MutationObserver(onChange);
  observer.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  const media = MEDIA.map((query) => matchMedia(query));
  for (const each of media) each.addEventListener("change", onChange);
  return () => {
    observer.disconnect();
    for (const each of media) each.removeEventListener("change", onChange);
  };
}

/**
 * Prints the page in the light theme, whose colors the pictures are drawn in then: on paper other media's styles hold too late
 * for that.
 */
export function useLightPaper(): void {
  useEffect(() => {
    const { dataset } = document.documentElement;
    let { theme = "" } = dataset;
    const toPaper = () => {
      ({ theme = "" } = dataset);
      dataset["theme"] = "light";
    };
    const toScreen = () => {
      dataset["theme"] = theme;
    };
    addEventListener("beforeprint", toPaper);
    addEventListener("afterprint", toScreen);
    return () => {
      removeEventListener("beforeprint", toPaper);
      removeEventListener("afterprint", toScreen);
    };
  }, []);
}
