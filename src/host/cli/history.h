/* The parts of `dejank history`. */
#ifndef DEJANK_CLI_HISTORY_H
#define DEJANK_CLI_HISTORY_H

#include "base/error.h"
#include "cli/options.h"
#include "cli/text_spool.h"
#include "facts/device_class.h"
#include "judge/trend.h"
#include "report/trend.h"

/* ---- bless, unbless, blessings ---- */

struct dj_history_options {
    const char *store, *project, *flow, *device, *class, *since, *output, *repository;
    const char *who, *why;
    struct dj_option_list metrics;
    int64_t rows;
    bool json, fail, all_devices, explain;
};

/* Accepts a change of the trend that `query` gives; takes a blessing back; lists them.
 * Each says what it did, and returns an exit code. */
int dj_history_verb_bless(const char *change, const struct dj_trend_query *query,
                          const struct dj_history_options *options);
int dj_history_verb_unbless(const char *id, const struct dj_history_options *options);
int dj_history_verb_blessings(const struct dj_history_options *options);

/* ---- classes of devices ---- */

/* "low-end", or conditions as plans have them: "ram < 3 GB, width >= 600 dp,
 * model=Pixel". DJ_E_USAGE says what was expected. The class points into `room`, which
 * the caller keeps. */
enum { DJ_CLASS_ROOM = 256 };
int dj_history_class(const char *words, char room[DJ_CLASS_ROOM],
                     struct dj_device_class *class, struct dj_error *err);

/* ---- a trend, drawn part by part: each is let go before the next is read ---- */

/* Zero the rest; finish it in every case. */
struct dj_history_pages {
    struct dj_history *history;
    const struct dj_trend_form *form;
    struct dj_trend_page page; /* style and rows are the caller's */
    struct dj_error *err;
    struct dj_text head;
    struct dj_text_spool drawn, parts;
    bool stands; /* some change to the worse that nobody accepted */
};

/* Of dj_trend_each_part(); `user` is the pages. */
int dj_history_pages_take(void *user, const struct dj_trend *part);
/* Writes all to `path`, NULL: to stdout. DJ_E_OUTPUT. */
int dj_history_pages_write(struct dj_history_pages *pages,
                           const struct dj_trend_told *told, const char *path,
                           struct dj_error *err);
void dj_history_pages_finish(struct dj_history_pages *pages);

#endif
