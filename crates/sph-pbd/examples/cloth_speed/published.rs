//! Our port of the algorithm of Ten Minute Physics 15 (Muller2022a), statement for statement, as a measure of speed.

use std::time::Instant;

struct Hash {
    spacing: f32,
    table_size: usize,
    cell_start: Vec<u32>,
    cell_entries: Vec<u32>,
    query_ids: Vec<u32>,
    first_adjacent: Vec<u32>,
    adjacent: Vec<u32>,
}

type Point = [f32; 3];

fn distance_squared(a: Point, b: Point) -> f32 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    d[0] * d[0] + d[1] * d[1] + d[2] * d[2]
}

impl Hash {
    fn new(spacing: f32, count: usize) -> Self {
        let table_size = 5 * count;
        Self {
            spacing,
            table_size,
            cell_start: vec![0; table_size + 1],
            cell_entries: vec![0; count],
            query_ids: Vec::new(),
            first_adjacent: vec![0; count + 1],
            adjacent: Vec::new(),
        }
    }

    fn hash(&self, [x, y, z]: [i32; 3]) -> usize {
        let mixed = x.wrapping_mul(92_837_111) ^ y.wrapping_mul(689_287_499) ^ z.wrapping_mul(283_923_481);
        mixed.unsigned_abs() as usize % self.table_size
    }

    fn cell(&self, point: Point) -> [i32; 3] {
        point.map(|x| (x / self.spacing).floor() as i32)
    }

    fn create(&mut self, points: &[Point]) {
        self.cell_start.fill(0);
        for &point in points {
            let bucket = self.hash(self.cell(point));
            self.cell_start[bucket] += 1;
        }
        let mut start = 0;
        for count in &mut self.cell_start {
            start += *count;
            *count = start;
        }
        for (k, &point) in points.iter().enumerate() {
            let bucket = self.hash(self.cell(point));
            self.cell_start[bucket] -= 1;
            self.cell_entries[self.cell_start[bucket] as usize] = k as u32;
        }
    }

    fn query_all(&mut self, points: &[Point], most: f32) {
        self.adjacent.clear();
        for (k, &point) in points.iter().enumerate() {
            self.first_adjacent[k] = self.adjacent.len() as u32;
            let (low, high) = (self.cell(point.map(|x| x - most)), self.cell(point.map(|x| x + most)));
            self.query_ids.clear();
            for x in low[0]..=high[0] {
                for y in low[1]..=high[1] {
                    for z in low[2]..=high[2] {
                        let bucket = self.hash([x, y, z]);
                        let range = self.cell_start[bucket] as usize..self.cell_start[bucket + 1] as usize;
                        self.query_ids.extend(&self.cell_entries[range]);
                    }
                }
            }
            for &other in &self.query_ids {
                if (other as usize) < k && distance_squared(point, points[other as usize]) <= most * most {
                    self.adjacent.push(other);
                }
            }
        }
        self.first_adjacent[points.len()] = self.adjacent.len() as u32;
    }
}

struct Cloth {
    thickness: f32,
    points: Vec<Point>,
    before: Vec<Point>,
    velocities: Vec<Point>,
    rest: Vec<Point>,
    inverse_masses: Vec<f32>,
    ids: Vec<[u32; 2]>,
    lengths: Vec<f32>,
    compliances: Vec<f32>,
    hash: Hash,
}

impl Cloth {
    fn new(columns: usize, rows: usize, spacing: f32) -> Self {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed * 16807 % 2_147_483_647;
            0.001 * spacing * (2.0 * (seed as f32 / 2_147_483_647.0) - 1.0)
        };
        let mut points = Vec::new();
        for i in 0..columns {
            for j in 0..rows {
                let x = -(columns as f32) * spacing * 0.5 + i as f32 * spacing;
                points.push([x + random(), 0.2 + j as f32 * spacing + random(), random()]);
            }
        }
        let types = [
            ([0, 0, 0, 1], 0.0),
            ([0, 0, 1, 0], 0.0),
            ([0, 0, 1, 1], 1e-4),
            ([0, 1, 1, 0], 1e-4),
            ([0, 0, 0, 2], 1.0),
            ([0, 0, 2, 0], 1.0),
        ];
        let (mut ids, mut compliances) = (Vec::new(), Vec::new());
        for ([x0, y0, x1, y1], compliance) in types {
            for i in 0..columns {
                for j in 0..rows {
                    if i + x1 < columns && j + y1 < rows && j + y0 < rows {
                        ids.push([((i + x0) * rows + j + y0) as u32, ((i + x1) * rows + j + y1) as u32]);
                        compliances.push(compliance);
                    }
                }
            }
        }
        let length = |&[a, b]: &[u32; 2]| distance_squared(points[a as usize], points[b as usize]).sqrt();
        let count = points.len();
        Self {
            thickness: spacing,
            before: points.clone(),
            velocities: vec![[0.0; 3]; count],
            rest: points.clone(),
            inverse_masses: vec![1.0; count],
            lengths: ids.iter().map(length).collect(),
            hash: Hash::new(spacing, count),
            points,
            ids,
            compliances,
        }
    }

    fn simulate(&mut self, frame: f32, substeps: usize) {
        let dt = frame / substeps as f32;
        let fastest = 0.2 * self.thickness / dt;
        self.hash.create(&self.points);
        self.hash.query_all(&self.points, fastest * frame);
        for _ in 0..substeps {
            for k in 0..self.points.len() {
                let velocity = &mut self.velocities[k];
                velocity[1] -= 10.0 * dt;
                let speed = distance_squared(*velocity, [0.0; 3]).sqrt();
                let scale = if speed > fastest { fastest / speed } else { 1.0 };
                self.before[k] = self.points[k];
                for (speed, point) in velocity.iter_mut().zip(&mut self.points[k]) {
                    *speed *= scale;
                    *point += *speed * dt;
                }
            }
            for (point, before) in self.points.iter_mut().zip(&self.before) {
                if point[1] < 0.5 * self.thickness {
                    *point = [before[0], 0.5 * self.thickness, before[2]];
                }
            }
            self.solve_constraints(dt);
            self.solve_collisions();
            for k in 0..self.points.len() {
                for axis in 0..3 {
                    self.velocities[k][axis] = (self.points[k][axis] - self.before[k][axis]) / dt;
                }
            }
        }
    }

    fn solve_constraints(&mut self, dt: f32) {
        for (k, &[a, b]) in self.ids.iter().enumerate() {
            let [a, b] = [a as usize, b as usize];
            let (w_a, w_b) = (self.inverse_masses[a], self.inverse_masses[b]);
            let d: Point = std::array::from_fn(|axis| self.points[a][axis] - self.points[b][axis]);
            let length = distance_squared(d, [0.0; 3]).sqrt();
            if w_a + w_b == 0.0 || length == 0.0 {
                continue;
            }
            let s = -(length - self.lengths[k]) / (w_a + w_b + self.compliances[k] / dt / dt) / length;
            for (axis, d) in d.into_iter().enumerate() {
                self.points[a][axis] += d * s * w_a;
                self.points[b][axis] -= d * s * w_b;
            }
        }
    }

    fn solve_collisions(&mut self) {
        let thickness2 = self.thickness * self.thickness;
        for a in 0..self.points.len() {
            let range = self.hash.first_adjacent[a] as usize..self.hash.first_adjacent[a + 1] as usize;
            for &b in &self.hash.adjacent[range] {
                let b = b as usize;
                let d2 = distance_squared(self.points[a], self.points[b]);
                if d2 > thickness2 || d2 == 0.0 {
                    continue;
                }
                let rest2 = distance_squared(self.rest[a], self.rest[b]);
                if d2 > rest2 {
                    continue;
                }
                let least = if rest2 < thickness2 { rest2.sqrt() } else { self.thickness };
                let distance = d2.sqrt();
                let s = 0.5 * (least - distance) / distance;
                for axis in 0..3 {
                    let by = (self.points[b][axis] - self.points[a][axis]) * s;
                    self.points[a][axis] -= by;
                    self.points[b][axis] += by;
                }
            }
        }
    }
}

/// Milliseconds of each of `count` frames.
pub fn frames(columns: usize, rows: usize, spacing: f32, count: usize) -> Vec<f64> {
    let mut cloth = Cloth::new(columns, rows, spacing);
    let time = |_| {
        let (started, before) = (Instant::now(), super::processor_time());
        cloth.simulate(1.0 / 60.0, 10);
        let wall = 1e3 * started.elapsed().as_secs_f64();
        super::processor_time().zip(before).map_or(wall, |(now, before)| now - before)
    };
    (0..count).map(time).collect()
}
