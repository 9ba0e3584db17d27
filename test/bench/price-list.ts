/** Prices of the runtime in dollars, as in its list of November 2026, without what the plan includes. */
const PRICES = { request: 0.15e-6, row: 1e-6, gigabyteSecond: 12.5e-6 };
const OBJECT_GIGABYTES = 0.128;
/** Of an account, however many drivers it has. */
const PLAN_DOLLARS = 5;
export const DAYS_A_MONTH = 30;
/** A ticker is awake all month. */
export const TICKER_DOLLARS = DAYS_A_MONTH * 86_400 * OBJECT_GIGABYTES * PRICES.gigabyteSecond;
/** How many drivers one calls at most. */
const DRIVERS_A_TICKER = 1_000;

/** The price of a month with so many drivers: the plan, the tickers that call them, and what each costs. */
export function dollarsOfFleet(drivers: number, driverDollars: number): number {
  return PLAN_DOLLARS + Math.ceil(drivers / DRIVERS_A_TICKER) * TICKER_DOLLARS + drivers * driverDollars;
}

/** The billed operations of a driver's day: rows with their index rows, an alarm's write apart. */
export type BilledDay = {
  alarms: number;
  calls: number;
  alarmsSet: number;
  rows: number;
  d1Rows: number;
  handlerMs: number;
};

/** The price of each kind of operation in a driver-month. */
export function priceMonth({ alarms, calls, alarmsSet, rows, d1Rows, handlerMs }: BilledDay) {
  const month = (dollars: number) => dollars * DAYS_A_MONTH;
  return {
    alarmWrites: month(alarmsSet * PRICES.row),
    requests: month((alarms + calls) * PRICES.request),
    duration: month((handlerMs / 1000) * OBJECT_GIGABYTES * PRICES.gigabyteSecond),
    objectRows: month(rows * PRICES.row),
    databaseRows: month(d1Rows * PRICES.row),
  };
}

/** The price of a driver-month. */
export function dollarsOf(day: BilledDay): number {
  return Object.values(priceMonth(day)).reduce((sum, dollars) => sum + dollars, 0);
}

/**
 * The price of waking for a poll by an alarm, and by staying awake from one poll to the next.
 * @param handlerMs how long a poll takes
 */
export function pricePoll({ intervalMs, handlerMs }: { intervalMs: number; handlerMs: number }) {
  const awake = (ms: number) => (ms / 1000) * OBJECT_GIGABYTES * PRICES.gigabyteSecond;
  return {
    byAlarm: PRICES.row + PRICES.request + awake(handlerMs),
    awake: awake(Math.max(intervalMs, handlerMs)),
  };
}
