/* Many dots of one colour. They are set in an image and drawn at once: 100 000 take a few milliseconds, where a path of
 * arcs takes half a second. */

const DOT_RADIUS = 2;

/* The pixels of a dot in an image of this width: offsets in bytes from the middle, and opacities, which are lower at the
 * edge. */
function dotMask(radius, width) {
    const reach = Math.ceil(radius);
    const offsets = [];
    const opacities = [];
    for (let y = -reach; y <= reach; y++) {
        for (let x = -reach; x <= reach; x++) {
            const opacity = Math.round(255 * Math.max(0, Math.min(1, radius + 0.5 - Math.hypot(x, y))));
            if (opacity > 0) {
                offsets.push(4 * (y * width + x));
                opacities.push(opacity);
            }
        }
    }
    return { offsets, opacities };
}

/* Gives what is opaque in an image a colour. */
function tinted(image, color) {
    const canvas = document.createElement('canvas');
    canvas.width = image.width;
    canvas.height = image.height;
    const pen = canvas.getContext('2d');
    pen.putImageData(image, 0, 0);
    pen.globalCompositeOperation = 'source-in';
    pen.fillStyle = color;
    pen.fillRect(0, 0, image.width, image.height);
    return canvas;
}

/* Draws a dot at (xs[i], ys[i]) for i in lo … hi. A null in ys has none. */
function drawDots(chart, { xs, ys, lo, hi }, color) {
    const { box, ratio } = chart;
    const radius = DOT_RADIUS * ratio;
    const reach = Math.ceil(radius); /* the image has room for dots on the edge of the plot */
    const width = Math.ceil(box.width * ratio) + 2 * reach + 1;
    const height = Math.ceil(box.height * ratio) + 2 * reach + 1;
    const image = new ImageData(width, height);
    const bytes = image.data;
    const { offsets, opacities } = dotMask(radius, width);
    for (let i = lo; i <= hi; i++) {
        const x = Math.round((chart.x(xs[i]) - box.left) * ratio) + reach;
        const y = ys[i] === null ? -1 : Math.round((chart.y(ys[i]) - box.top) * ratio) + reach;
        if (y >= reach && y < height - reach && x >= reach && x < width - reach) {
            const middle = 4 * (y * width + x) + 3; /* red, green, blue, opacity */
            for (let k = 0; k < offsets.length; k++) {
                const at = middle + offsets[k];
                bytes[at] = bytes[at] > opacities[k] ? bytes[at] : opacities[k];
            }
        }
    }
    chart.ctx.drawImage(tinted(image, color), box.left - reach / ratio, box.top - reach / ratio, width / ratio, height / ratio);
}
