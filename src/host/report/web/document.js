/* A document's page: its charts, and a button that copies the document as Markdown. */

document.querySelectorAll('figure.chart > script').forEach((data) => {
    const figure = data.parentNode;
    figure.svgChart = new SvgChart(figure, JSON.parse(data.textContent), () => {});
});
document.querySelector('header').append(copyButton(JSON.parse(document.getElementById('markdown').textContent)));
document.documentElement.dataset.ready = String(document.querySelectorAll('figure.chart').length);
