import type { ServiceType } from "../state.ts";

export type Region = { regionId: string; name: string; timeZone: string };
export type Warehouse = {
  warehouseId: string;
  regionId: string;
  name: string | null;
  address: string | null;
  serviceType: ServiceType;
  timeZone: string;
  latitude: number;
  longitude: number;
  geofenceMeters: number;
  /** Relative share of the city's offers. */
  weight: number;
};

export const REGIONS: readonly Region[] = [
  { regionId: "newyorkcity", name: "New York City", timeZone: "America/New_York" },
  { regionId: "losangeles", name: "Los Angeles", timeZone: "America/Los_Angeles" },
  { regionId: "chicago", name: "Chicago", timeZone: "America/Chicago" },
  { regionId: "phoenix", name: "Phoenix", timeZone: "America/Phoenix" },
];

type Row = [
  id: string,
  name: string | null,
  address: string | null,
  serviceType: ServiceType,
  latitude: number,
  longitude: number,
  geofenceMeters: number,
  weight: number,
];

const ROWS: Record<string, Row[]> = {
  newyorkcity: [
    [
      "nyc-dny4",
      "Bethpage (DNY4)",
      "999 S Oyster Bay Rd, Bethpage, NY 11714",
      "parcel",
      40.7432,
      -73.4954,
      150,
      5,
    ],
    ["nyc-dbk1", "Maspeth (DBK1)", "55-15 Grand Ave, Maspeth, NY 11378", "parcel", 40.7196, -73.9107, 150, 5],
    [
      "nyc-dbx2",
      "Bronx (DBX2)",
      "1055 Bronx River Ave, Bronx, NY 10472",
      "parcel",
      40.8257,
      -73.8809,
      200,
      4,
    ],
    [
      "nyc-wfm7",
      "Whole Foods Bryant Park",
      "1095 6th Ave, New York, NY 10036",
      "whole_foods",
      40.7549,
      -73.9845,
      100,
      3,
    ],
    [
      "nyc-wfm9",
      "Whole Foods Gowanus",
      "214 3rd St, Brooklyn, NY 11215",
      "whole_foods",
      40.6751,
      -73.9897,
      100,
      3,
    ],
    [
      "nyc-ufs2",
      "Grocery Oceanside",
      "3620 Long Beach Rd, Oceanside, NY 11572",
      "grocery",
      40.6311,
      -73.6401,
      120,
      2,
    ],
    ["nyc-8c21", null, null, "parcel", 40.6635, -74.177, 250, 2],
  ],
  losangeles: [
    [
      "lax-dla8",
      "Hawthorne (DLA8)",
      "2815 W El Segundo Blvd, Hawthorne, CA 90250",
      "parcel",
      33.917,
      -118.324,
      150,
      5,
    ],
    [
      "lax-dur1",
      "Van Nuys (DUR1)",
      "15930 Valley Vista Blvd, Van Nuys, CA 91406",
      "parcel",
      34.1874,
      -118.4785,
      150,
      4,
    ],
    [
      "lax-dax3",
      "Commerce (DAX3)",
      "6400 E Slauson Ave, Commerce, CA 90040",
      "parcel",
      33.979,
      -118.1425,
      200,
      4,
    ],
    [
      "lax-wfm1",
      "Whole Foods Venice",
      "225 Lincoln Blvd, Venice, CA 90291",
      "whole_foods",
      33.9996,
      -118.4675,
      100,
      3,
    ],
    [
      "lax-ufc1",
      "Grocery Woodland Hills",
      "6245 Topanga Canyon Blvd, CA 91367",
      "grocery",
      34.1836,
      -118.6058,
      120,
      2,
    ],
    ["lax-4b90", null, null, "other", 33.8317, -118.2817, 250, 1],
  ],
  chicago: [
    [
      "chi-dch1",
      "Goose Island (DCH1)",
      "1500 N Cherry Ave, Chicago, IL 60642",
      "parcel",
      41.9098,
      -87.6533,
      150,
      5,
    ],
    ["chi-dil3", "Skokie (DIL3)", "3639 Howard St, Skokie, IL 60076", "parcel", 42.0192, -87.7183, 150, 4],
    [
      "chi-dch4",
      "Bridgeview (DCH4)",
      "7400 S Narragansett Ave, IL 60638",
      "parcel",
      41.7574,
      -87.7823,
      200,
      4,
    ],
    [
      "chi-wfm2",
      "Whole Foods Lincoln Park",
      "1550 N Kingsbury St, IL 60642",
      "whole_foods",
      41.9086,
      -87.6525,
      100,
      3,
    ],
    ["chi-d71e", null, null, "grocery", 41.8841, -87.6586, 200, 1],
  ],
  phoenix: [
    [
      "phx-dph5",
      "Deer Valley (DPH5)",
      "2150 W Alameda Rd, Phoenix, AZ 85085",
      "parcel",
      33.7076,
      -112.1051,
      150,
      5,
    ],
    ["phx-daz2", "Tempe (DAZ2)", "7010 S Kyrene Rd, Tempe, AZ 85283", "parcel", 33.3497, -111.9446, 150, 4],
    [
      "phx-wfm3",
      "Whole Foods Camelback",
      "4701 N 20th St, Phoenix, AZ 85016",
      "whole_foods",
      33.5067,
      -112.0386,
      100,
      3,
    ],
    [
      "phx-ufg1",
      "Grocery Scottsdale",
      "15255 N Hayden Rd, Scottsdale, AZ 85260",
      "grocery",
      33.623,
      -111.9107,
      120,
      2,
    ],
    ["phx-a03f", null, null, "parcel", 33.4373, -112.1889, 250, 2],
  ],
};

export const WAREHOUSES: readonly Warehouse[] = REGIONS.flatMap(({ regionId, timeZone }) =>
  (ROWS[regionId] ?? []).map(
    ([warehouseId, name, address, serviceType, latitude, longitude, geofenceMeters, weight]) => ({
      warehouseId,
      regionId,
      name,
      address,
      serviceType,
      timeZone,
      latitude,
      longitude,
      geofenceMeters,
      weight,
    }),
  ),
);

const byId = new Map(WAREHOUSES.map((warehouse) => [warehouse.warehouseId, warehouse]));

export function findWarehouse(warehouseId: string): Warehouse | undefined {
  return byId.get(warehouseId);
}

export function regionOf(regionId: string): Region {
  const region = REGIONS.find((candidate) => candidate.regionId === regionId);
  if (!region) throw new Error(`no region ${regionId}`);
  return region;
}

/** The city after the plus in the e-mail (driver+losangeles@example.com), else New York City. */
export function regionIdOf(email: string): string {
  const tags = email.slice(0, email.lastIndexOf("@")).toLowerCase().split("+").slice(1);
  return REGIONS.find(({ regionId }) => tags.includes(regionId))?.regionId ?? "newyorkcity";
}
