/* The parts of `dejank history`. */
#ifndef DEJANK_CLI_HISTORY_H
#define DEJANK_CLI_HISTORY_H

#include "base/error.h"
#include "cli/options.h"
#include "device/text_spool.h"
#include "facts/device_class.h"
#include "report/trend.h"
#include "trend/trend.h"

/* ---- classes of devices ---- */

/* "low-end", or conditions as plans have them: "ram < 3 GB, width >= 600 dp,
 * model=Pixel". DJ_E_USAGE says what was expected. The class points into `room`, which
 * the caller keeps. */
enum { DJ_CLASS_ROOM = 256 };
int dj_history_class(const char *words, char room[DJ_CLASS_ROOM],
                     struct dj_device_class *class, struct dj_error *err);

/* ---- what is asked ---- */

/* Options fill `project`, `flow` and `serial` of the query. */
struct dj_history_options {
    struct dj_trend_query query;
    struct dj_device_class class; /* what its words mean */
    char class_room[DJ_CLASS_ROOM];
    const char *store, *class_words, *since, *output, *repository, *who, *why;
    struct dj_option_list metrics;
    int64_t rows;
    bool json, fail, all_devices, explain;
};

/* ---- bless, unbless, blessings ---- */

/* Accepts a change of the trend that the query gives; takes a blessing back; lists them.
 * Each says what it did, and returns an exit code. */
int dj_history_verb_bless(const char *change, const struct dj_history_options *options);
int dj_history_verb_unbless(const char *id, const struct dj_history_options *options);
int dj_history_verb_blessings(const struct dj_history_options *options);

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
