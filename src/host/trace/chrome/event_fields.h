/* Collects the fields of one event of Chrome's JSON, and converts them to an event. */
#ifndef DEJANK_TRACE_CHROME_EVENT_FIELDS_H
#define DEJANK_TRACE_CHROME_EVENT_FIELDS_H

#include "base/text.h"
#include "trace/chrome/events.h"
#include "trace/chrome/json_scan.h"

enum dj_chrome_field {
    DJ_CHROME_NO_FIELD,
    DJ_CHROME_PHASE,
    DJ_CHROME_TS,
    DJ_CHROME_DUR,
    DJ_CHROME_PID,
    DJ_CHROME_TID,
    DJ_CHROME_NAME,
    DJ_CHROME_CATEGORY,
    DJ_CHROME_ID,
    DJ_CHROME_BIND_ID,
    DJ_CHROME_ID2,
    DJ_CHROME_ARGS,
    DJ_CHROME_ARGS_NAME, /* the member `name` of args */
    DJ_CHROME_FIELDS
};

enum {
    DJ_CHROME_SERIES_MAX = 32,   /* more numbers of one counter are ignored */
    DJ_CHROME_TEXT_MAX = 1 << 16 /* longer strings of an event are truncated */
};

struct dj_chrome_text_range {
    size_t at, length; /* in the event's text */
    bool is_set;
};

struct dj_chrome_fields {
    struct dj_chrome_text_range fields[DJ_CHROME_FIELDS];
    struct {
        struct dj_chrome_text_range name, value;
        bool string; /* the value was a string, which may contain a number */
    } series[DJ_CHROME_SERIES_MAX];
    size_t series_count;
    struct dj_text text; /* of the fields */
    /* State while tokens come: */
    uint8_t field;
    struct dj_chrome_text_range inner; /* the current key inside args or id2 */
};

void dj_chrome_fields_reset(struct dj_chrome_fields *raw);
/* Accepts a token inside the event; `depth` 0 is the event's own object. */
void dj_chrome_fields_add_token(struct dj_chrome_fields *raw, enum dj_json_token token,
                                struct dj_str text, uint32_t depth);
/* Returns the text of the part, empty if the event does not have it. Valid until the next
 * token. */
struct dj_str dj_chrome_fields_get(const struct dj_chrome_fields *raw,
                                   const struct dj_chrome_text_range *part);

/* What is known about the whole file. */
struct dj_chrome_file {
    struct dj_chrome_events *events;
    bool ours; /* an older dejank wrote the file: each thread has one id, and the CPUs are
                  a process */
};

/* Converts the complete event. *fault is what the event lacks, else NULL. Sets *known if
 * the event has a meaning. Returns the code of the event store. */
int dj_chrome_fields_convert(const struct dj_chrome_fields *raw,
                             struct dj_chrome_file *file, bool *known,
                             const char **fault);

#endif
