#include "plan/suggest.h"

enum { WORD_MOST = 40, EDITS_MOST = 3 };

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Computes the optimal string alignment distance by dynamic programming over the prefixes
 * of both words. Keeps the last three rows of the table, because a swap needs the row
 * before the previous one. */
size_t dj_suggest_distance(struct dj_str a, struct dj_str b)
{
    size_t rows[3][WORD_MOST + 1];
    size_t height = a.length, width = b.length;
    if (height > WORD_MOST || width > WORD_MOST) {
        return WORD_MOST + 1;
    }
    for (size_t k = 0; k <= width; k++) {
        rows[0][k] = k;
    }
    for (size_t i = 1; i <= height; i++) {
        size_t *row = rows[i % 3];
        const size_t *previous = rows[(i + 2) % 3], *before_previous = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t k = 1; k <= width; k++) {
            row[k] = min(min(previous[k], row[k - 1]) + 1,
                         previous[k - 1] + (a.at[i - 1] != b.at[k - 1]));
            if (i > 1 && k > 1 && a.at[i - 1] == b.at[k - 2] &&
                a.at[i - 2] == b.at[k - 1]) {
                row[k] = min(row[k], before_previous[k - 2] + 1);
            }
        }
    }
    return rows[height % 3][width];
}

void dj_plan_suggestion_add(struct dj_suggestion *suggestion, struct dj_str candidate,
                            struct dj_str suggested)
{
    size_t distance = dj_suggest_distance(suggestion->word, candidate);
    size_t shorter = min(suggestion->word.length, candidate.length);
    size_t most = min(shorter / 3 > 0 ? shorter / 3 : 1, EDITS_MOST);
    if (distance <= most && distance < shorter &&
        (suggestion->best.length == 0 || distance < suggestion->distance)) {
        suggestion->best = suggested;
        suggestion->distance = distance;
    }
}
