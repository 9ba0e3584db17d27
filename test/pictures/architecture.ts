type Theme = { ground: string; box: string; line: string; ink: string; soft: string; signal: string };

const THEMES: Record<"light" | "dark", Theme> = {
  light: {
    ground: "#fafaf8",
    box: "#ffffff",
    line: "#c9cbc6",
    ink: "#1f2328",
    soft: "#5b6066",
    signal: "#c9e62c",
  },
  dark: {
    ground: "#15181c",
    box: "#1f2328",
    line: "#454b52",
    ink: "#f3f4f1",
    soft: "#aab0b6",
    signal: "#c9e62c",
  },
};

type Box = {
  x: number;
  y: number;
  w: number;
  h: number;
  title: string;
  lines: readonly string[];
  isCentre?: boolean;
};

const BOXES: readonly Box[] = [
  {
    x: 30,
    y: 40,
    w: 230,
    h: 120,
    title: "Page",
    lines: ["HTML made at build time", "React, a socket per dashboard", "service worker"],
  },
  { x: 30, y: 250, w: 230, h: 90, title: "Console", lines: ["for operators, behind Access"] },
  {
    x: 350,
    y: 40,
    w: 250,
    h: 300,
    title: "Worker",
    lines: [
      "near the driver",
      "gate: tokens, sealed bodies",
      "routes, one shared contract",
      "embedded user pool",
      "payments, points, invitations",
      "cron: watchdog, reconciling",
    ],
  },
  {
    x: 350,
    y: 410,
    w: 250,
    h: 90,
    title: "D1",
    lines: ["users, filters, money, points", "a copy of the blocks won"],
  },
  {
    x: 690,
    y: 40,
    w: 260,
    h: 300,
    title: "Driver's object",
    lines: [
      "one per driver, near the platform",
      "alarm, SQLite, sockets",
      "engine: pure, decides",
      "poll · judge · accept",
      "attempt written before the call",
    ],
    isCentre: true,
  },
  {
    x: 1040,
    y: 40,
    w: 200,
    h: 120,
    title: "Delivery platform",
    lines: ["offers, accepts,", "blocks, check-in"],
  },
  { x: 1040, y: 220, w: 200, h: 90, title: "Texts and push", lines: ["one text per capture"] },
  { x: 690, y: 410, w: 260, h: 90, title: "Stripe", lines: ["the truth about money"] },
];

type Arrow = { path: string; label: string; at: readonly [x: number, y: number] };

const ARROWS: readonly Arrow[] = [
  { path: "M260 90 H344", label: "API", at: [302, 80] },
  { path: "M260 295 H344", label: "acts", at: [302, 285] },
  { path: "M600 100 H684", label: "settings", at: [642, 90] },
  { path: "M690 200 H606", label: "live", at: [648, 190] },
  { path: "M475 340 V404", label: "reads, writes", at: [425, 377] },
  { path: "M760 340 V375 H560 V404", label: "outbox", at: [605, 366] },
  { path: "M600 320 H645 V455 H684", label: "", at: [0, 0] },
  { path: "M950 100 H1034", label: "poll, accept", at: [992, 90] },
  { path: "M950 265 H1034", label: "outbox", at: [992, 255] },
];

/** The house in one drawing: what runs where, and who calls whom. */
export function drawArchitecture(theme: "light" | "dark"): string {
  const { ground, box, line, ink, soft, signal } = THEMES[theme];
  const boxes = BOXES.map(({ x, y, w, h, title, lines, isCentre }) =>
    [
      `<rect x="${x}" y="${y}" width="${w}" height="${h}" rx="14" fill="${box}" stroke="${isCentre ? signal : line}" stroke-width="${isCentre ? 4 : 1.5}"/>`,
      `<text x="${x + 18}" y="${y + 34}" font-size="18" font-weight="700" fill="${ink}">${title}</text>`,
      ...lines.map(
        (text, index) =>
          `<text x="${x + 18}" y="${y + 58 + index * 22}" font-size="13" fill="${soft}">${text}</text>`,
      ),
    ].join(""),
  );
  const arrows = ARROWS.map(
    ({ path, label, at: [x, y] }) =>
      `<path d="${path}" fill="none" stroke="${soft}" stroke-width="2" marker-end="url(#tip)"/>${label ? `<text x="${x}" y="${y}" font-size="12" text-anchor="middle" fill="${soft}">${label}</text>` : ""}`,
  );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1270 530" font-family="system-ui, sans-serif" role="img" aria-label="The page and the console call the Worker, which keeps accounts and money in D1 and talks to one object per driver; that object polls the delivery platform, accepts, and tells the driver.">`,
    `<defs><marker id="tip" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L10 5 L0 10 z" fill="${soft}"/></marker></defs>`,
    `<rect width="1270" height="530" fill="${ground}"/>`,
    ...boxes,
    ...arrows,
    "</svg>\n",
  ].join("\n");
}
