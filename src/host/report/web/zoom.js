/* The visible part of a chart's x axis. Buttons, keys and dragging change it. */

const ZOOM_LEAST_POINTS = 10; /* A chart with fewer points has no buttons. */
const ZOOM_MOST = 2000; /* The largest magnification. */
const DRAG_LEAST_PX = 5; /* A shorter drag is a click. */

class ChartZoom {
    /* full: {first, last} of the whole axis. least: the least width, such as 2 versions. changed(isChosen) redraws; isChosen is true
     * if a person chose the part. */
    constructor(full, least, changed) {
        this.full = full;
        this.least = Math.max(least, (full.last - full.first) / ZOOM_MOST);
        this.changed = changed;
        this.range = full;
        this.all = button('All', 'Show all', () => this.showAll());
        const buttons = [button('−', 'Zoom out', () => this.by(2)), button('+', 'Zoom in', () => this.by(0.5)),
            button('◂', 'Earlier', () => this.pan(-1)), button('▸', 'Later', () => this.pan(1)), this.all];
        /* The keys of the drawing do the same, so Tab goes from chart to chart. */
        buttons.forEach((one) => one.setAttribute('tabindex', '-1'));
        this.node = el('div', { class: 'zoom', role: 'group', 'aria-label': 'Zoom' }, ...buttons);
        this.all.disabled = true;
    }

    isWhole() {
        return this.range.first <= this.full.first && this.range.last >= this.full.last;
    }

    has(x) {
        return x >= this.range.first && x <= this.range.last;
    }

    /* Shows a part, moved and widened so that it is on the axis. */
    set(first, last, isChosen) {
        const width = Math.min(Math.max(last - first, this.least), this.full.last - this.full.first);
        const start = Math.max(this.full.first, Math.min((first + last - width) / 2, this.full.last - width));
        this.range = { first: start, last: start + width };
        this.all.disabled = this.isWhole();
        this.changed(isChosen);
    }

    showAll() {
        this.set(this.full.first, this.full.last, true);
    }

    by(factor, middle = (this.range.first + this.range.last) / 2) {
        const half = ((this.range.last - this.range.first) * factor) / 2;
        this.set(middle - half, middle + half, true);
    }

    pan(direction) {
        const by = (direction * (this.range.last - this.range.first)) / 2;
        const { first, last } = this.full;
        const moved = Math.max(first - this.range.first, Math.min(by, last - this.range.last));
        this.set(this.range.first + moved, this.range.last + moved, true);
    }

    /* Follows the mouse from a press to its release. at(event) is the place in the host in pixels, value(pixels) the x there. */
    drag(host, pressed, at, value) {
        const from = at(pressed);
        const mark = el('div', { class: 'selection', hidden: true });
        const move = (event) => {
            const [left, right] = [from, at(event)].sort((a, b) => a - b);
            mark.hidden = right - left < DRAG_LEAST_PX;
            Object.assign(mark.style, { left: `${left}px`, width: `${right - left}px` });
        };
        const release = (event) => {
            const [left, right] = [from, at(event)].sort((a, b) => a - b);
            document.removeEventListener('mousemove', move);
            document.removeEventListener('mouseup', release);
            mark.remove();
            this.wasDragged = right - left >= DRAG_LEAST_PX;
            if (this.wasDragged) {
                this.set(value(left), value(right), true);
            }
        };
        host.append(mark);
        document.addEventListener('mousemove', move);
        document.addEventListener('mouseup', release);
    }
}

/* The zoomed charts of a page in its address: zoom=NUMBER_FIRST_LAST, with '*' between charts. */
function readZooms() {
    const text = new URLSearchParams(location.search).get('zoom') || '';
    return new Map(text.split('*').map((one) => one.split('_').map(Number))
        .filter((numbers) => numbers.length === 3 && numbers.every(Number.isFinite)).map(([number, first, last]) => [number, { first, last }]));
}

/* Stores the part of a chart in the address. The back button then shows what was shown before. */
function storeZoom(number, range) {
    const zooms = readZooms();
    if (range === null) {
        zooms.delete(number);
    } else {
        zooms.set(number, range);
    }
    const address = new URL(location.href);
    address.searchParams.delete('zoom');
    if (zooms.size > 0) {
        address.searchParams.set('zoom', [...zooms].map(([key, { first, last }]) => `${key}_${Number(first.toPrecision(7))}_${Number(last.toPrecision(7))}`).join('*'));
    }
    history.pushState(null, '', address);
}
