/* A document's page: its charts, and a button that copies the document as Markdown. */

function copyButton(markdown) {
    const label = 'Copy as Markdown';
    const copy = el('button', {
        type: 'button',
        onclick: async () => {
            const done = await navigator.clipboard.writeText(markdown).then(() => 'Copied', () => 'The browser does not allow copying');
            copy.textContent = done;
            setTimeout(() => { copy.textContent = label; }, 2000);
        },
    }, label);
    return copy;
}

document.querySelectorAll('figure.chart > script').forEach((data) => {
    const figure = data.parentNode;
    figure.svgChart = new SvgChart(figure, JSON.parse(data.textContent));
});
document.querySelector('header').append(copyButton(JSON.parse(document.getElementById('markdown').textContent)));
document.documentElement.dataset.ready = String(document.querySelectorAll('figure.chart').length);
