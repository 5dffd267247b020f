/*
 * edges HISTORIES EDGE…: measures the evidence for changes that are expected in a
 * history. Reads the history from stdin. EDGE is the index of the first point after a
 * change.
 *
 * First compares the segments before and after each edge by ranks. A segment ends at the
 * neighbouring edge. Then looks for an equally clear change in histories that contain
 * none. A window with the same two lengths moves over all their positions. There are two
 * kinds of such histories, HISTORIES of each:
 *   the same points, without the changes at these edges, in random order
 *   normal noise with the same correlation of neighbouring points
 *
 * Writes a row to stdout for each edge: `edge`, index, p by ranks, then how many
 * histories of each kind contain a change at least as clear, and HISTORIES. The last row
 * is `memory` and the correlation of neighbouring residuals.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histories.h"
#include "stats/mann_whitney.h"

enum { SEED = 4, EDGES_MAX = 32 };

struct history {
    double logs[DJ_SIM_HISTORY_MAX];
    size_t count;
};

struct edge {
    size_t from, at, to; /* index of the previous edge, of this edge, of the next one */
    double p;
    double far; /* |U − n m / 2| */
    size_t shuffled, remembering;
};

/* Returns |U − n m / 2|. U is the number of pairs with the greater value in `after`. Ties
 * count half. */
static double distance(const double *before, size_t n, const double *after, size_t m)
{
    double larger = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < m; k++) {
            larger += after[k] > before[i] ? 1 : after[k] == before[i] ? 0.5 : 0;
        }
    }
    return fabs(larger - (double)n * (double)m / 2);
}

static bool holds_one(const struct history *history, const struct edge *edge)
{
    size_t n = edge->at - edge->from;
    size_t m = edge->to - edge->at;
    for (size_t i = 0; i + n + m <= history->count; i++) {
        if (distance(history->logs + i, n, history->logs + i + n, m) >= edge->far) {
            return true;
        }
    }
    return false;
}

static void read_edges(const struct history *history, char **words, size_t count,
                       struct edge *edges)
{
    for (size_t i = 0; i < count; i++) {
        edges[i].at = (size_t)strtoul(words[i], NULL, 10);
    }
    for (size_t i = 0; i < count; i++) {
        struct edge *edge = &edges[i];
        edge->from = i == 0 ? 0 : edges[i - 1].at;
        edge->to = i + 1 == count ? history->count : edges[i + 1].at;
        if (edge->from >= edge->at || edge->at >= edge->to) {
            fputs("edges: expected indices that rise, within the history\n", stderr);
            exit(2);
        }
        size_t n = edge->at - edge->from;
        size_t m = edge->to - edge->at;
        struct dj_mann_whitney ranks;
        if (dj_mann_whitney(history->logs + edge->from, n, history->logs + edge->at, m,
                            &ranks) != 0) {
            exit(5);
        }
        edge->p = ranks.p;
        edge->far = distance(history->logs + edge->from, n, history->logs + edge->at, m);
    }
}

/* Subtracts the mean of each segment. Returns the correlation of neighbouring residuals,
 * corrected for the bias from estimating that many means. */
static double level(struct history *history, const struct edge *edges, size_t count)
{
    for (size_t i = 0; i <= count; i++) {
        size_t from = i == 0 ? 0 : edges[i - 1].at;
        size_t to = i == count ? history->count : edges[i].at;
        double mean = 0;
        for (size_t k = from; k < to; k++) {
            mean += history->logs[k] / (double)(to - from);
        }
        for (size_t k = from; k < to; k++) {
            history->logs[k] -= mean;
        }
    }
    double squares = 0;
    double neighbours = 0;
    for (size_t i = 0; i < history->count; i++) {
        squares += history->logs[i] * history->logs[i];
        neighbours += i > 0 ? history->logs[i] * history->logs[i - 1] : 0;
    }
    double acf = neighbours / squares;
    return acf + (double)(count + 1) * (1 + 3 * acf) / (double)history->count;
}

static void fill_remembering(struct dj_random *random, double memory,
                             struct history *history)
{
    double state = dj_random_normal(random);
    for (size_t i = 0; i < history->count; i++) {
        state = memory * state + sqrt(1 - memory * memory) * dj_random_normal(random);
        history->logs[i] = state;
    }
}

int main(int argc, char **argv)
{
    static struct history history;
    static struct edge edges[EDGES_MAX];
    size_t histories = argc > 2 ? (size_t)strtoul(argv[1], NULL, 10) : 0;
    size_t count = argc > 2 ? (size_t)argc - 2 : 0;
    double value;
    if (histories == 0 || count > EDGES_MAX) {
        fputs("usage: edges HISTORIES EDGE…\n", stderr);
        return 2;
    }
    while (history.count < DJ_SIM_HISTORY_MAX && scanf("%lf", &value) == 1) {
        history.logs[history.count++] = log(value);
    }
    read_edges(&history, argv + 2, count, edges);
    double memory = level(&history, edges, count);
    static struct history other;
    for (size_t i = 0; i < histories; i++) {
        struct dj_random random = dj_random_of(SEED, i);
        other = history;
        dj_random_shuffle(&random, other.logs, other.count);
        for (size_t k = 0; k < count; k++) {
            edges[k].shuffled += holds_one(&other, &edges[k]);
        }
        fill_remembering(&random, memory, &other);
        for (size_t k = 0; k < count; k++) {
            edges[k].remembering += holds_one(&other, &edges[k]);
        }
    }
    for (size_t k = 0; k < count; k++) {
        printf("edge\t%zu\t%.3g\t%zu\t%zu\t%zu\n", edges[k].at, edges[k].p,
               edges[k].shuffled, edges[k].remembering, histories);
    }
    printf("memory\t%.3f\n", memory);
    return 0;
}
