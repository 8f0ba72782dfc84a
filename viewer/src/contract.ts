// What the program writes into the page (docs/report-format.md), as types.

export interface ArrayRef {
  at: number;
  n: number;
  type: "u16" | "log16" | "f64" | "f32" | "u32";
  min?: number;
  max?: number;
}

/** A channel on frames: an array, or a number when it never changes. */
export type Channel = ArrayRef | number;
export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w, x, y, z

export type SignalGroup =
  | "positions"
  | "velocities"
  | "accelerations"
  | "multipliers"
  | "reactions"
  | "energies"
  | "errors"
  | "steps"
  | "outputs";

export interface SignalJson {
  name: string;
  unit: string;
  group: SignalGroup;
  owner: string | null;
  log?: boolean;
  time: "records" | "steps" | ArrayRef;
  data: ArrayRef;
  default?: boolean;
  plot?: string;
}

export interface ShapeStyle {
  color?: string;
  derived?: boolean;
}
export type Shape = ShapeStyle &
  (
    | { type: "box"; size: Vec3; position?: Vec3; orientation?: Quat }
    | { type: "cylinder" | "capsule"; from: Vec3; to: Vec3; radius: number }
    | { type: "sphere"; position?: Vec3; radius: number }
    | { type: "line"; points: Vec3[]; radius: number }
    | { type: "polygon"; points: [number, number][]; thickness: number; z?: number }
    | {
        type: "mesh";
        vertices: ArrayRef;
        triangles: ArrayRef;
        position?: Vec3;
        orientation?: Quat;
        scale?: number | Vec3;
      }
  );

export interface Point {
  name: string;
  at: Vec3;
}
export interface BodyJson {
  name: string;
  pose: number;
  center?: Vec3;
  points?: Point[];
  shapes?: Shape[];
}
export interface Anchor {
  body: number; // −1: ground
  at: Vec3;
}
export type JointSymbol =
  | "pin"
  | "slider"
  | "ball"
  | "fixed"
  | "cylinder"
  | "universal"
  | "screw"
  | "gear"
  | "rolling"
  | "distance"
  | "driver"
  | "other";
export interface JointJson {
  name: string;
  type: string;
  symbol: JointSymbol;
  a: Anchor;
  b: Anchor;
  axis?: Vec3 | null;
  length?: number;
}
export interface SpringJson {
  name: string;
  type: string;
  symbol: "coil" | "torsion" | "bushing" | "tyre" | "force" | "none"; // its body shows it
  a: Anchor;
  b: Anchor;
  axis?: Vec3 | null;
}
export interface DeformingJson {
  name: string;
  nodes: { x: Channel; y: Channel; z: Channel }[];
  lines?: number[][];
  faces?: number[][];
  radius?: number;
  frame?: number; // body whose pose is the floating frame, and
  rest?: Vec3[]; // where the nodes are in it without deflections
  stress?: Channel[]; // the largest in each line, Pa
  stress_max?: number; // of all lines and times
}
export interface SceneJson {
  planar: boolean;
  gravity?: Vec3;
  length: number;
  bounds: [Vec3, Vec3];
  bodies: BodyJson[];
  ground?: { points?: Point[]; shapes?: Shape[] };
  joints?: JointJson[];
  springs?: SpringJson[];
  deforming?: DeformingJson[];
}

export interface PoseJson {
  x: Channel;
  y: Channel;
  z: Channel;
  w: Channel;
  i: Channel;
  j: Channel;
  k: Channel;
}
export interface VectorJson {
  x: Channel;
  y: Channel;
  z: Channel;
}

export interface About {
  problem?: string;
  source?: string;
  coordinates?: string;
  formulation?: string;
  integrator?: string;
  stabilization?: string;
  command?: string;
  status?: string;
  message?: string;
  version?: string;
  options?: Record<string, string>;
  warnings?: string[];
  notices?: string[];
  t_start?: number;
  t_end?: number;
}

export interface RunJson {
  name: string;
  color?: number | null; // place among the colours; none: by the order
  about: About;
  statistics?: Record<string, number | null>;
  drift?: {
    position_max?: number | null;
    velocity_max?: number | null;
    position_row?: string | null;
    velocity_row?: string | null;
  } | null;
  energy?: {
    initial?: number | null;
    final?: number | null;
    work?: number | null;
    max_relative_error?: number | null;
  } | null;
  frames: ArrayRef;
  frame_note?: string;
  position_error?: number;
  angle_error?: number;
  poses?: PoseJson[];
  times?: { records?: ArrayRef; steps?: ArrayRef };
  signals?: SignalJson[];
  arrows?: {
    velocity?: ({ body: number } & VectorJson)[];
    force?: ({ joint: number } & VectorJson)[];
    applied?: ({ spring: number; end: "a" | "b" } & VectorJson)[];
  };
  events?: { t: number; name: string }[];
  modes?: { name: string; kind: string; spans: [from: number, to: number, value: number, text: string][] }[];
  scene?: SceneJson | null;
}

export interface PlotAxisJson {
  label: string;
  unit?: string;
  log?: boolean;
}
export interface PlotJson {
  title: string;
  kind?: "work-precision" | "time" | "map";
  x: PlotAxisJson;
  y: PlotAxisJson;
  z?: PlotAxisJson; // of a map, which has one series: what its colours mean
  series: {
    name: string;
    x: (number | null)[] | ArrayRef;
    y: (number | null)[] | ArrayRef;
    z?: (number | null)[]; // of a map; null: none there
    points?: boolean;
    line?: boolean; // from point to point; true if left out
    labels?: string[];
    color?: number | null; // place among the colours; none: by the order
  }[];
}
export interface TableJson {
  title: string;
  columns: { name: string; unit?: string; kind?: "text" | "number"; optional?: boolean }[]; // optional: left out where it is narrow
  rows: (string | number | null)[][];
  colors?: number[]; // of the rows, as of series
}

export interface PageJson {
  format: number;
  kind: "results" | "compare";
  program: string;
  title: string;
  note?: string;
  verdict?: string; // of a comparison, above the rest
  runs: RunJson[];
  plots?: PlotJson[];
  tables?: TableJson[];
}
