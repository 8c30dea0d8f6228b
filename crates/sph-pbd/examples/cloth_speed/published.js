// Our port of the algorithm of Ten Minute Physics 15 (Muller2022a) to JavaScript, as a measure of speed: node published.js [FRAMES]
// Prints milliseconds of processor time a frame, and the vertices a millisecond that these are.
"use strict";

class Hash {
    constructor(spacing, maxObjects) {
        this.spacing = spacing;
        this.tableSize = 5 * maxObjects;
        this.cellStart = new Int32Array(this.tableSize + 1);
        this.cellEntries = new Int32Array(maxObjects);
        this.queryIds = new Int32Array(maxObjects);
        this.querySize = 0;
        this.maxObjects = maxObjects;
        this.firstAdjId = new Int32Array(maxObjects + 1);
        this.adjIds = new Int32Array(10 * maxObjects);
    }
    hashCoords(xi, yi, zi) {
        return Math.abs((xi * 92837111) ^ (yi * 689287499) ^ (zi * 283923481)) % this.tableSize;
    }
    intCoord(coord) {
        return Math.floor(coord / this.spacing);
    }
    hashPos(pos, nr) {
        return this.hashCoords(this.intCoord(pos[3 * nr]), this.intCoord(pos[3 * nr + 1]), this.intCoord(pos[3 * nr + 2]));
    }
    create(pos) {
        const count = Math.min(pos.length / 3, this.cellEntries.length);
        this.cellStart.fill(0);
        this.cellEntries.fill(0);
        for (let i = 0; i < count; i++) this.cellStart[this.hashPos(pos, i)]++;
        let start = 0;
        for (let i = 0; i < this.tableSize; i++) {
            start += this.cellStart[i];
            this.cellStart[i] = start;
        }
        this.cellStart[this.tableSize] = start;
        for (let i = 0; i < count; i++) {
            const h = this.hashPos(pos, i);
            this.cellStart[h]--;
            this.cellEntries[this.cellStart[h]] = i;
        }
    }
    query(pos, nr, maxDist) {
        const x0 = this.intCoord(pos[3 * nr] - maxDist), x1 = this.intCoord(pos[3 * nr] + maxDist);
        const y0 = this.intCoord(pos[3 * nr + 1] - maxDist), y1 = this.intCoord(pos[3 * nr + 1] + maxDist);
        const z0 = this.intCoord(pos[3 * nr + 2] - maxDist), z1 = this.intCoord(pos[3 * nr + 2] + maxDist);
        this.querySize = 0;
        for (let xi = x0; xi <= x1; xi++)
            for (let yi = y0; yi <= y1; yi++)
                for (let zi = z0; zi <= z1; zi++) {
                    const h = this.hashCoords(xi, yi, zi);
                    const end = this.cellStart[h + 1];
                    for (let i = this.cellStart[h]; i < end; i++) this.queryIds[this.querySize++] = this.cellEntries[i];
                }
    }
    queryAll(pos, maxDist) {
        let num = 0;
        const maxDist2 = maxDist * maxDist;
        for (let i = 0; i < this.maxObjects; i++) {
            this.firstAdjId[i] = num;
            this.query(pos, i, maxDist);
            for (let j = 0; j < this.querySize; j++) {
                const id1 = this.queryIds[j];
                if (id1 >= i) continue;
                const dx = pos[3 * i] - pos[3 * id1], dy = pos[3 * i + 1] - pos[3 * id1 + 1];
                const dz = pos[3 * i + 2] - pos[3 * id1 + 2];
                if (dx * dx + dy * dy + dz * dz > maxDist2) continue;
                if (num >= this.adjIds.length) {
                    const more = new Int32Array(2 * num);
                    more.set(this.adjIds);
                    this.adjIds = more;
                }
                this.adjIds[num++] = id1;
            }
        }
        this.firstAdjId[this.maxObjects] = num;
    }
}

class Cloth {
    constructor(numX, numY, spacing, thickness) {
        const n = (this.numParticles = numX * numY);
        this.thickness = thickness;
        this.pos = new Float32Array(3 * n);
        this.prevPos = new Float32Array(3 * n);
        this.vel = new Float32Array(3 * n);
        this.invMass = new Float32Array(n).fill(1.0);
        let seed = 1;
        const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
        for (let i = 0; i < numX; i++)
            for (let j = 0; j < numY; j++) {
                const id = i * numY + j;
                this.pos[3 * id] = -numX * spacing * 0.5 + i * spacing + 0.001 * spacing * (2 * random() - 1);
                this.pos[3 * id + 1] = 0.2 + j * spacing + 0.001 * spacing * (2 * random() - 1);
                this.pos[3 * id + 2] = 0.001 * spacing * (2 * random() - 1);
            }
        this.restPos = this.pos.slice();
        this.hash = new Hash(spacing, n);
        const types = [[0, 0, 0, 1, 0], [0, 0, 1, 0, 0], [0, 0, 1, 1, 0.0001], [0, 1, 1, 0, 0.0001], [0, 0, 0, 2, 1], [0, 0, 2, 0, 1]];
        const ids = [], compliances = [];
        for (const [x0, y0, x1, y1, compliance] of types)
            for (let i = 0; i < numX; i++)
                for (let j = 0; j < numY; j++)
                    if (i + x0 < numX && j + y0 < numY && i + x1 < numX && j + y1 < numY) {
                        ids.push((i + x0) * numY + j + y0, (i + x1) * numY + j + y1);
                        compliances.push(compliance);
                    }
        this.ids = new Int32Array(ids);
        this.compliances = new Float32Array(compliances);
        this.restLens = new Float32Array(compliances.length);
        for (let i = 0; i < this.restLens.length; i++) this.restLens[i] = Math.sqrt(this.dist2(this.restPos, ids[2 * i], ids[2 * i + 1]));
    }
    dist2(p, a, b) {
        const dx = p[3 * a] - p[3 * b], dy = p[3 * a + 1] - p[3 * b + 1], dz = p[3 * a + 2] - p[3 * b + 2];
        return dx * dx + dy * dy + dz * dz;
    }
    simulate(frameDt, numSubSteps) {
        const dt = frameDt / numSubSteps, maxV = (0.2 * this.thickness) / dt;
        this.hash.create(this.pos);
        this.hash.queryAll(this.pos, maxV * frameDt);
        const { pos, prevPos, vel } = this;
        for (let step = 0; step < numSubSteps; step++) {
            for (let i = 0; i < this.numParticles; i++) {
                const k = 3 * i;
                vel[k + 1] -= 10.0 * dt;
                const v = Math.sqrt(vel[k] * vel[k] + vel[k + 1] * vel[k + 1] + vel[k + 2] * vel[k + 2]);
                const s = v > maxV ? maxV / v : 1.0;
                for (let c = 0; c < 3; c++) {
                    vel[k + c] *= s;
                    prevPos[k + c] = pos[k + c];
                    pos[k + c] += vel[k + c] * dt;
                }
            }
            for (let i = 0; i < this.numParticles; i++) {
                const k = 3 * i;
                if (pos[k + 1] < 0.5 * this.thickness) {
                    for (let c = 0; c < 3; c++) pos[k + c] += -1.0 * (pos[k + c] - prevPos[k + c]);
                    pos[k + 1] = 0.5 * this.thickness;
                }
            }
            this.solveConstraints(dt);
            this.solveCollisions();
            for (let k = 0; k < pos.length; k++) vel[k] = (pos[k] - prevPos[k]) / dt;
        }
    }
    solveConstraints(dt) {
        const { pos, ids, invMass } = this;
        for (let i = 0; i < this.restLens.length; i++) {
            const id0 = ids[2 * i], id1 = ids[2 * i + 1], w0 = invMass[id0], w1 = invMass[id1], w = w0 + w1;
            if (w === 0.0) continue;
            const a = 3 * id0, b = 3 * id1;
            const gx = pos[a] - pos[b], gy = pos[a + 1] - pos[b + 1], gz = pos[a + 2] - pos[b + 2];
            const len = Math.sqrt(gx * gx + gy * gy + gz * gz);
            if (len === 0.0) continue;
            const s = -(len - this.restLens[i]) / (w + this.compliances[i] / dt / dt) / len;
            pos[a] += gx * s * w0; pos[a + 1] += gy * s * w0; pos[a + 2] += gz * s * w0;
            pos[b] -= gx * s * w1; pos[b + 1] -= gy * s * w1; pos[b + 2] -= gz * s * w1;
        }
    }
    solveCollisions() {
        const { pos, invMass, hash, restPos } = this, thickness2 = this.thickness * this.thickness;
        for (let i = 0; i < this.numParticles; i++) {
            if (invMass[i] === 0.0) continue;
            const first = hash.firstAdjId[i], last = hash.firstAdjId[i + 1];
            for (let j = first; j < last; j++) {
                const id1 = hash.adjIds[j];
                if (invMass[id1] === 0.0) continue;
                const a = 3 * i, b = 3 * id1;
                const dx = pos[b] - pos[a], dy = pos[b + 1] - pos[a + 1], dz = pos[b + 2] - pos[a + 2];
                const d2 = dx * dx + dy * dy + dz * dz;
                if (d2 > thickness2 || d2 === 0.0) continue;
                const rest2 = this.dist2(restPos, i, id1);
                if (d2 > rest2) continue;
                const minDist = rest2 < thickness2 ? Math.sqrt(rest2) : this.thickness;
                const d = Math.sqrt(d2), s = (0.5 * (minDist - d)) / d;
                pos[a] -= dx * s; pos[a + 1] -= dy * s; pos[a + 2] -= dz * s;
                pos[b] += dx * s; pos[b + 1] += dy * s; pos[b + 2] += dz * s;
            }
        }
    }
}

const frames = Number(process.argv[2] ?? 300);
const cloth = new Cloth(30, 200, 0.01, 0.01);
const times = [];
for (let frame = 0; frame < frames; frame++) {
    const start = process.cpuUsage();
    cloth.simulate(1 / 60, 10);
    const used = process.cpuUsage(start);
    times.push((used.user + used.system) / 1000);
}
const mean = times.reduce((sum, time) => sum + time, 0) / frames;
times.sort((a, b) => a - b);
const median = times[times.length >> 1];
const rate = (time) => `${time.toFixed(2)} ms/frame (${(cloth.numParticles / time).toFixed(0)} vertices/ms)`;
console.log(`median ${rate(median)}, mean ${rate(mean)}`);
