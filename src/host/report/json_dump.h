/* The parts of the schema dejank.parse/1 (docs/format/parse.md). */
#ifndef DEJANK_REPORT_JSON_DUMP_H
#define DEJANK_REPORT_JSON_DUMP_H

#include "report/parsed.h"

/* "stats": a statistics block as printed, or null. */
void dj_json_put_stats(struct dj_text *text, const struct dj_stats_block *block);

/* An element of "windows", judged by the dialect; with `rows` its rows too. */
void dj_json_put_window(struct dj_text *text, const struct dj_dialect *dialect,
                        const struct dj_dump_window *window,
                        const struct dj_window_facts *facts, bool rows);

/* An element: milliseconds with two decimals; negative ones are unknown: null. */
void dj_json_put_ms(struct dj_text *text, float ms);

#endif
