/* The graphs of the live view: frame times, stages and a histogram, each drawn on a canvas. */

const LIVE_STAGES = [
    ['app', 'App'], ['vsync_delay', 'Vsync delay'], ['input', 'Input'], ['animation', 'Animation'], ['layout', 'Layout'],
    ['draw', 'Draw'], ['wait', 'Wait (not counted)'], ['sync', 'Sync'], ['issue', 'Issue commands'], ['swap', 'Swap'],
];
const LIVE_SPAN_NS = 10e9;
const LIVE_LEFT = 48;
const LIVE_BOTTOM = 18;
const LIVE_COLUMN = 4; /* Width of a frame in the graph of stages. */

function stageColor(name) {
    return `--stage-${name === 'vsync_delay' ? 'vsync' : name}`;
}

/* Draws stripes over a lost range, so that it does not look like a range without frames. */
function drawLost(context, from, to, height, color) {
    context.save();
    context.beginPath();
    context.rect(from, 0, Math.max(3, to - from), height);
    context.clip();
    context.strokeStyle = color;
    for (let x = from - height; x < to + 3; x += 6) {
        context.beginPath();
        context.moveTo(x, height);
        context.lineTo(x + height, 0);
        context.stroke();
    }
    context.restore();
}

/* A canvas with the size of its element, in pixels of the screen, and a legend of what occurs. */
class LiveCanvas {
    constructor(title, height, isChosen) {
        this.title = title;
        this.canvas = el('canvas', { role: 'img', 'aria-label': title, tabindex: isChosen ? '0' : null });
        this.canvas.style.height = `${height}px`;
        this.legend = el('ul', { class: 'legend' });
        this.figure = el('figure', { class: 'chart live' }, el('figcaption', { class: 'caption' }, title), this.legend, this.canvas);
    }

    /* Clears the canvas. Stores its context, its size in CSS pixels, and the colours of the page. */
    begin() {
        const scale = window.devicePixelRatio || 1;
        const { clientWidth: width, clientHeight: height } = this.canvas;
        if (this.canvas.width !== Math.round(width * scale) || this.canvas.height !== Math.round(height * scale)) {
            this.canvas.width = Math.round(width * scale);
            this.canvas.height = Math.round(height * scale);
        }
        const context = this.canvas.getContext('2d');
        const style = getComputedStyle(document.documentElement);
        const colors = new Map();
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        context.font = '12px system-ui, sans-serif';
        this.context = context;
        this.width = width;
        this.height = height;
        this.bottom = height - LIVE_BOTTOM;
        this.color = (name) => {
            if (!colors.has(name)) {
                colors.set(name, style.getPropertyValue(name).trim());
            }
            return colors.get(name);
        };
    }

    /* Draws a line across the graph, with its value on the left. */
    level(y, name, words) {
        this.context.strokeStyle = this.color(name);
        this.context.beginPath();
        this.context.moveTo(LIVE_LEFT, y);
        this.context.lineTo(this.width, y);
        this.context.stroke();
        this.text(words, LIVE_LEFT - 6, y + 4, 'right');
    }

    text(words, x, y, align) {
        this.context.textAlign = align;
        this.context.fillStyle = this.color('--muted');
        this.context.fillText(words, x, y);
    }

    /* Shows names with their colours. Does nothing if they are shown already. */
    setLegend(items) {
        const key = items.map(([, words]) => words).join();
        if (key !== this.legendKey) {
            this.legendKey = key;
            this.legend.replaceChildren(...items.map(([name, words]) => el('li', {}, swatch(`var(${name})`, words === 'lost'), words)));
        }
    }
}

/* The frame times of the last 10 s: a bar for each frame, a band for each lost range. */
class LiveTimes extends LiveCanvas {
    constructor(select) {
        super('Frame times of the last 10 s, ms', 200, true);
        this.canvas.setAttribute('aria-label', `${this.title}. The arrow keys select a frame, with Shift a janky one.`);
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

    draw(frames, interval, selected) {
        this.begin();
        const { context, width, bottom } = this;
        const now = frames.reduce((last, frame) => Math.max(last, frame.at), 0);
        const longest = frames.reduce((most, frame) => Math.max(most, frame.time || 0), 0);
        const top = Math.max(2 * interval, longest) * 1.08;
        const bar = Math.max(1, Math.min(6, ((width - LIVE_LEFT) * interval) / LIVE_SPAN_NS - 1));
        const xOf = (at) => width - bar - ((now - at) / LIVE_SPAN_NS) * (width - LIVE_LEFT - bar);
        const yOf = (time) => bottom - (time / top) * bottom;
        this.shown = [];
        for (const frame of frames.filter((one) => one.lost !== 0)) {
            const x = xOf(frame.at);
            drawLost(context, Math.max(LIVE_LEFT, frame.previous === null ? x - 6 : xOf(frame.previous) + bar), x, bottom, this.color('--muted'));
        }
        for (const frame of frames.filter((one) => one.time !== null && xOf(one.at) >= LIVE_LEFT)) {
            const x = xOf(frame.at);
            context.fillStyle = this.color(frame === selected ? '--text' : frame.janky ? '--bad' : '--good');
            context.fillRect(x, yOf(frame.time), frame === selected ? Math.max(3, bar) : bar, bottom - yOf(frame.time));
            this.shown.push({ x, frame });
        }
        if (longest > 1.5 * interval) {
            this.level(yOf(longest), '--grid', ms(longest));
        }
        this.level(yOf(interval), '--deadline', ms(interval));
        this.text('10 s earlier', LIVE_LEFT, this.height - 4, 'left');
        this.text('newest frame', width, this.height - 4, 'right');
        this.setLegend([['--good', 'in time'], ['--bad', 'janky'], ['--deadline', 'deadline'],
            ...(frames.some((frame) => frame.lost !== 0) ? [['--muted', 'lost']] : [])]);
    }
}

/* The stages of the newest frames, one column for each frame. */
class LiveStages extends LiveCanvas {
    constructor() {
        super('Stages of the newest frames, without waits, ms', 160, false);
    }

    draw(frames, interval) {
        this.begin();
        const { context, height } = this;
        const newest = frames.slice(-Math.floor((this.width - LIVE_LEFT) / LIVE_COLUMN));
        const known = LIVE_STAGES.filter(([name]) => name !== 'wait' && newest.some((frame) => frame.stages[name] > 0));
        const sum = (frame) => known.reduce((total, [name]) => total + (frame.stages[name] || 0), 0);
        const longest = newest.reduce((most, frame) => Math.max(most, sum(frame)), 0);
        const top = Math.max(1.5 * interval, longest) * 1.08;
        newest.forEach((frame, i) => {
            let y = height;
            for (const [name] of known) {
                const size = ((frame.stages[name] || 0) / top) * height;
                context.fillStyle = this.color(stageColor(name));
                context.fillRect(LIVE_LEFT + i * LIVE_COLUMN, y - size, LIVE_COLUMN - 1, size);
                y -= size;
            }
        });
        if (longest > 1.5 * interval) {
            this.level(height - (longest / top) * height, '--grid', ms(longest));
        }
        this.level(height - (interval / top) * height, '--deadline', ms(interval));
        this.setLegend(known.map(([name, label]) => [stageColor(name), label]));
    }
}

/* How many frames of the last 10 s took how long. */
class LiveHistogram extends LiveCanvas {
    constructor() {
        super('How many frames of the last 10 s took how long', 290, false);
    }

    draw(frames, interval) {
        this.begin();
        const { context, width, bottom } = this;
        const times = sortedKnown(frames.map((frame) => frame.time));
        const bins = 40;
        const end = Math.max(2 * interval, times[Math.floor(times.length * 0.99)] || 0) * 1.05;
        const counts = new Array(bins).fill(0);
        times.forEach((time) => { counts[Math.min(bins - 1, Math.floor((time / end) * bins))] += 1; });
        const most = Math.max(1, ...counts);
        const step = (width - LIVE_LEFT) / bins;
        counts.forEach((count, i) => {
            const size = count === 0 ? 0 : Math.max(2, (count / most) * (bottom - 12));
            context.fillStyle = this.color((i * end) / bins >= interval ? '--bad' : '--good');
            context.fillRect(LIVE_LEFT + i * step, bottom - size, Math.max(1, step - 1), size);
        });
        const middle = LIVE_LEFT + (interval / end) * (width - LIVE_LEFT);
        context.strokeStyle = this.color('--deadline');
        context.beginPath();
        context.moveTo(middle, 0);
        context.lineTo(middle, bottom);
        context.stroke();
        this.text('0', LIVE_LEFT, this.height - 4, 'left');
        this.text(ms(interval), middle, this.height - 4, 'center');
        this.text(`${ms(end)} ms and more`, width, this.height - 4, 'right');
        this.text(most.toLocaleString('en'), LIVE_LEFT - 6, 14, 'right');
        this.setLegend([['--good', 'up to the deadline'], ['--bad', 'longer']]);
    }
}
