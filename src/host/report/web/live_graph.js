/* The graphs of the live view: frame times, stages and a histogram, each drawn on a canvas. */

const LIVE_STAGES = [
    ['app', 'App'], ['vsync_delay', 'Vsync delay'], ['input', 'Input'], ['animation', 'Animation'], ['layout', 'Layout'],
    ['draw', 'Draw'], ['wait', 'Wait'], ['sync', 'Sync'], ['issue', 'Issue commands'], ['swap', 'Swap'],
];

function stageColor(name) {
    return cssColor(`--stage-${name === 'vsync_delay' ? 'vsync' : name}`);
}

/* A canvas with the size of its element, in pixels of the screen. */
class LiveCanvas {
    constructor(label, height) {
        this.canvas = el('canvas', { role: 'img', 'aria-label': label, tabindex: '0', style: null });
        this.canvas.style.height = `${height}px`;
        this.figure = el('figure', { class: 'chart live' }, el('figcaption', {}, label), this.canvas);
    }

    /* Clears the canvas. Returns its context, and its size in CSS pixels. */
    begin() {
        const scale = window.devicePixelRatio || 1;
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
            this.canvas.width = Math.round(width * scale);
            this.canvas.height = Math.round(height * scale);
        }
        const context = this.canvas.getContext('2d');
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        context.font = '12px system-ui, sans-serif';
        return { context, width, height };
    }
}

const LIVE_LEFT = 44;
const LIVE_BOTTOM = 18;

function drawLevel(context, width, y, color, text) {
    context.strokeStyle = color;
    context.beginPath();
    context.moveTo(LIVE_LEFT, y);
    context.lineTo(width, y);
    context.stroke();
    context.fillStyle = cssColor('--muted');
    context.fillText(text, 2, y + 4);
}

/* The frame times of the last 10 s: a bar for each frame, a band for each lost range. */
class LiveTimes extends LiveCanvas {
    constructor(select) {
        super('Frame time over the last 10 s, ms. Arrow keys select a frame.', 200);
        this.shown = [];
        this.canvas.addEventListener('click', (event) => select(this.findAt(event.offsetX)));
    }

    findAt(x) {
        let best = null;
        for (const bar of this.shown) {
            if (best === null || Math.abs(bar.x - x) < Math.abs(best.x - x)) {
                best = bar;
            }
        }
        return best === null ? null : best.frame;
    }

    draw(frames, now, interval, selected) {
        const { context, width, height } = this.begin();
        const bottom = height - LIVE_BOTTOM;
        const top = Math.max(3 * interval, ...frames.map((frame) => frame.time || 0)) * 1.05;
        const xOf = (at) => width - ((now - at) / 10e9) * (width - LIVE_LEFT);
        const yOf = (time) => bottom - (time / top) * (bottom - 6);
        this.shown = [];
        for (const frame of frames) {
            const x = xOf(frame.at);
            if (frame.lost !== 0) {
                const from = frame.previous === null ? x - 6 : xOf(frame.previous);
                context.fillStyle = cssColor('--grid');
                context.fillRect(Math.max(LIVE_LEFT, from), 0, Math.max(2, x - from), bottom);
            }
        }
        const bar = Math.max(1, Math.min(6, ((width - LIVE_LEFT) * interval) / 10e9 - 1));
        for (const frame of frames) {
            const x = xOf(frame.at);
            if (frame.time !== null && x >= LIVE_LEFT) {
                context.fillStyle = cssColor(frame === selected ? '--text' : frame.janky ? '--bad' : '--good');
                context.fillRect(x, yOf(frame.time), bar, bottom - yOf(frame.time));
                this.shown.push({ x, frame });
            }
        }
        drawLevel(context, width, yOf(interval), cssColor('--deadline'), ms(interval));
        drawLevel(context, width, yOf(top / 1.05), cssColor('--grid'), ms(top / 1.05));
        context.fillStyle = cssColor('--muted');
        context.fillText('10 s ago', LIVE_LEFT, height - 4);
        context.fillText('now', width - 26, height - 4);
    }
}

/* The stages of the newest frames, one column for each frame. */
class LiveStages extends LiveCanvas {
    constructor() {
        super('Stages of the newest frames, ms', 160);
        this.figure.append(el('ul', { class: 'legend' }, ...LIVE_STAGES.map(([name, label]) => {
            const mark = el('span', { class: 'mark' });
            mark.style.background = stageColor(name);
            return el('li', {}, mark, label);
        })));
    }

    draw(frames, interval) {
        const { context, width, height } = this.begin();
        const count = Math.floor((width - LIVE_LEFT) / 4);
        const newest = frames.slice(-count);
        const sum = (frame) => LIVE_STAGES.reduce((total, [name]) => total + (frame.stages[name] || 0), 0);
        const top = Math.max(2 * interval, ...newest.map(sum)) * 1.05;
        newest.forEach((frame, i) => {
            let y = height;
            for (const [name] of LIVE_STAGES) {
                const size = ((frame.stages[name] || 0) / top) * height;
                context.fillStyle = stageColor(name);
                context.fillRect(LIVE_LEFT + i * 4, y - size, 3, size);
                y -= size;
            }
        });
        drawLevel(context, width, height - (interval / top) * height, cssColor('--deadline'), ms(interval));
    }
}

/* How many frames of the last 10 s took how long. */
class LiveHistogram extends LiveCanvas {
    constructor() {
        super('Frame times of the last 10 s, ms', 140);
    }

    draw(frames, interval) {
        const { context, width, height } = this.begin();
        const times = frames.map((frame) => frame.time).filter((time) => time !== null);
        const bottom = height - LIVE_BOTTOM;
        const bins = 40;
        const end = Math.max(2 * interval, sortedKnown(times)[Math.floor(times.length * 0.99)] || 0) * 1.05;
        const counts = new Array(bins).fill(0);
        times.forEach((time) => { counts[Math.min(bins - 1, Math.floor((time / end) * bins))] += 1; });
        const most = Math.max(1, ...counts);
        const step = (width - LIVE_LEFT) / bins;
        counts.forEach((count, i) => {
            const size = (count / most) * (bottom - 12);
            context.fillStyle = cssColor((i * end) / bins >= interval ? '--bad' : '--good');
            context.fillRect(LIVE_LEFT + i * step, bottom - size, Math.max(1, step - 1), size);
        });
        context.fillStyle = cssColor('--muted');
        context.fillText('0', LIVE_LEFT, height - 4);
        context.fillText(`${ms(interval)}`, LIVE_LEFT + (interval / end) * (width - LIVE_LEFT) - 10, height - 4);
        context.fillText(`${ms(end)} and more`, width - 110, height - 4);
        context.fillText(String(most), 2, 14);
    }
}
