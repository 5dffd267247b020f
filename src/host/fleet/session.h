/*
 * fleet: sessions of many users on a ClickHouse cluster. The module converts dumps, runs
 * and JSON lines to sessions, sends them to the shards, asks the shards questions, and
 * compares versions within classes of devices. It does not measure (measure) and keeps no
 * history of single runs (store).
 *
 * This header: a session, which is one app on one device for one stretch of use
 * (docs/format/session.md). A session has fixed maxima and owns no memory. The functions
 * are pure and safe in any thread.
 */
#ifndef DEJANK_FLEET_SESSION_H
#define DEJANK_FLEET_SESSION_H

#include "base/error.h"
#include "base/text.h"
#include "frame/histogram.h"

enum {
    DJ_SESSION_ID_BYTES = 16,
    DJ_SESSION_TEXT_MOST = 200,   /* Maximum length of a text in bytes. */
    DJ_SESSION_FIGURES_MOST = 32, /* Maximum number of further figures. */
    DJ_SESSION_NAME_MOST = 64,    /* Maximum length of a figure's name in bytes. */
    /* Maximum length of a session as JSON in bytes. */
    DJ_SESSION_JSON_MOST = 64 << 10
};

/* Version of the format, which is the number in "dejank.session/1". */
#define DJ_SESSION_SCHEMA "dejank.session/1"

/* The texts: symbol and name. An unknown text is "". Only the app must be known. */
#define DJ_SESSION_TEXT_MAP(X)                                                           \
    X(APP, app)                                                                          \
    X(VERSION, version)                                                                  \
    X(DEVICE, device)                                                                    \
    X(CLASS, class)                                                                      \
    X(RELEASE, release)                                                                  \
    X(GPU, gpu)

enum dj_session_text {
#define DJ_SESSION_TEXT_SYMBOL(symbol, name) DJ_SESSION_##symbol,
    DJ_SESSION_TEXT_MAP(DJ_SESSION_TEXT_SYMBOL)
#undef DJ_SESSION_TEXT_SYMBOL
        DJ_SESSION_TEXTS
};

/* Counters of frames: symbol and name. An unknown counter is −1. The number of frames is
 * always known. The counters after FROZEN count causes of jank as hwui does. */
#define DJ_SESSION_COUNTER_MAP(X)                                                        \
    X(FRAMES, frames)                                                                    \
    X(JANKY, janky)                                                                      \
    X(SLOW, slow)                                                                        \
    X(FROZEN, frozen)                                                                    \
    X(MISSED_VSYNC, missed_vsync)                                                        \
    X(HIGH_INPUT_LATENCY, high_input_latency)                                            \
    X(SLOW_UI_THREAD, slow_ui_thread)                                                    \
    X(SLOW_BITMAP_UPLOADS, slow_bitmap_uploads)                                          \
    X(SLOW_ISSUE_DRAW_COMMANDS, slow_issue_draw_commands)                                \
    X(DEADLINE_MISSED, deadline_missed)

enum dj_session_counter {
#define DJ_SESSION_COUNTER_SYMBOL(symbol, name) DJ_SESSION_##symbol,
    DJ_SESSION_COUNTER_MAP(DJ_SESSION_COUNTER_SYMBOL)
#undef DJ_SESSION_COUNTER_SYMBOL
        DJ_SESSION_COUNTERS
};

enum {
    DJ_SESSION_FIRST_CAUSE = DJ_SESSION_MISSED_VSYNC,
    /* A frame is slow if it takes longer than this time in ms. */
    DJ_SESSION_SLOW_MS = 16,
    /* A frame is frozen if it takes longer than this time in ms. */
    DJ_SESSION_FROZEN_MS = 700
};

/* The histograms of a session, in hwui's buckets (frame/histogram.h). */
enum dj_session_histogram_kind {
    DJ_SESSION_FRAME_TIME,
    DJ_SESSION_PRESENT_TO_PRESENT,
    DJ_SESSION_HISTOGRAMS
};

struct dj_session_histogram {
    bool is_known;
    uint32_t count[DJ_FRAME_BUCKETS];
};

struct dj_session_figure {
    char name[DJ_SESSION_NAME_MOST + 1];
    double value;
};

struct dj_session {
    uint8_t id[DJ_SESSION_ID_BYTES];
    /* Revision of the session. If several sessions have the same id, only the one with
     * the highest revision counts. */
    int64_t revision;
    char text[DJ_SESSION_TEXTS][DJ_SESSION_TEXT_MOST + 1];
    /* Version code of the app, refresh rate of the display and RAM of the device, or −1
     * if unknown. */
    int64_t version_code, refresh_hz, ram_mb;
    /* Day of the session in days since 1970-01-01 UTC. */
    int64_t day;
    int64_t start_unix_s;
    int64_t counter[DJ_SESSION_COUNTERS];
    struct dj_session_histogram histogram[DJ_SESSION_HISTOGRAMS];
    struct dj_session_figure figure[DJ_SESSION_FIGURES_MOST];
    size_t figure_count;
};

/* Names in JSON and in the database, indexed by the enumerations above. */
extern const char *const dj_session_text_names[DJ_SESSION_TEXTS];
extern const char *const dj_session_counter_names[DJ_SESSION_COUNTERS];
extern const char *const dj_session_histogram_names[DJ_SESSION_HISTOGRAMS];

/* Initializes a session: all data is unknown, and the number of frames is 0. */
void dj_session_init(struct dj_session *session);

/* Sets a text of the session. Replaces control characters with spaces. Truncates a text
 * that is too long at the end of a character. NULL means unknown. */
void dj_session_set_text(struct dj_session *session, enum dj_session_text which,
                         const char *text);

/* Sets the start, and the day that contains it. */
void dj_session_set_start(struct dj_session *session, int64_t unix_s);

/* Sets the id to the first 16 bytes of the SHA-256 hash of these texts. NULL is hashed
 * like "". */
void dj_session_set_id(struct dj_session *session, const char *const *texts,
                       size_t count);

/* Adds a figure such as "hitch_ratio_ms_per_s". Ignores a value that is not finite.
 * Ignores figures beyond DJ_SESSION_FIGURES_MOST. */
void dj_session_add_figure(struct dj_session *session, const char *name, double value);

/* Sets the numbers of slow and frozen frames from the histogram of frame times. hwui's
 * buckets are whole milliseconds, so a frame of 16.0 … 16.9 ms counts as slow, and a
 * frame of 700 ms as frozen. Does nothing if the session has no such histogram. */
void dj_session_count_slow(struct dj_session *session);

/* If the class is unknown, sets it from the RAM: "low-end", "mid-range" or "high-end".
 * The limits are those of the built-in classes (facts/device_class.h). */
void dj_session_set_class(struct dj_session *session);

/* Checks a session. It must have an id and an app. Texts must be UTF-8 without control
 * characters. Numbers, counters and figures must be possible. The day must match the
 * start, and the start must be at most a day after now_unix_s. Returns 0, or DJ_E_INVALID
 * with the reason. */
int dj_session_check(const struct dj_session *session, int64_t now_unix_s,
                     struct dj_error *err);

/* Appends the session as one JSON line with its line feed. */
void dj_session_write_json(struct dj_text *text, const struct dj_session *session);

/* Reads a session from one JSON line. Ignores unknown members, and does not call
 * dj_session_check(). Returns 0, or DJ_E_INVALID with the member and what was
 * expected. */
int dj_session_read_json(const char *line, size_t length, struct dj_session *session,
                         struct dj_error *err);

/* Names of the columns of a row in their order, separated by commas. */
extern const char dj_session_columns[];

/* Appends the session as one row of RowBinary. */
void dj_session_write_row(struct dj_text *bytes, const struct dj_session *session);

/* Reads the next row of RowBinary and moves *rest to the bytes after it. Returns 0,
 * DJ_E_TRUNCATED if the bytes end inside the row, or DJ_E_INVALID if a value exceeds its
 * maximum. */
int dj_session_read_row(struct dj_str *rest, struct dj_session *session,
                        struct dj_error *err);

/* Appends a day in the form YYYY-MM-DD. `day` is in days since 1970-01-01. */
void dj_session_append_day(struct dj_text *text, int64_t day);

/* Parses a day in the form YYYY-MM-DD. Returns false if the text is not a day from 1970
 * to 2105. */
bool dj_session_parse_day(struct dj_str text, int64_t *day);

#endif
