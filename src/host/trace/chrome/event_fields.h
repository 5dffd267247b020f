/* Collects the fields of one event in Chrome's JSON format, and converts them to an
 * event. */
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
    DJ_CHROME_ARGS_NAME, /* The member `name` of `args`. */
    DJ_CHROME_FIELDS
};

enum {
    /* Maximum number of values of one counter. Further values are ignored. */
    DJ_CHROME_SERIES_MAX = 32,
    /* Maximum length of all strings of an event. Longer strings are truncated. */
    DJ_CHROME_TEXT_MAX = 1 << 16
};

struct dj_chrome_text_range {
    size_t at, length; /* Offset and length in the event's text. */
    bool is_set;
};

struct dj_chrome_fields {
    struct dj_chrome_text_range fields[DJ_CHROME_FIELDS];
    struct {
        struct dj_chrome_text_range name, value;
        /* True if the value was a string. The string may contain a number. */
        bool string;
    } series[DJ_CHROME_SERIES_MAX];
    size_t series_count;
    struct dj_text text; /* Text of all fields. */
    /* The following members are used while tokens are added. */
    uint8_t field;
    struct dj_chrome_text_range inner; /* The current key in `args` or `id2`. */
};

void dj_chrome_fields_reset(struct dj_chrome_fields *raw);
/* Adds a token of the event. `depth` is 0 for members of the event, and 1 or more for
 * members of objects inside the event. */
void dj_chrome_fields_add_token(struct dj_chrome_fields *raw, enum dj_json_token token,
                                struct dj_str text, uint32_t depth);
/* Returns the text of a field, or an empty text if the event does not have the field.
 * The result is valid until the next token is added. */
struct dj_str dj_chrome_fields_get(const struct dj_chrome_fields *raw,
                                   const struct dj_chrome_text_range *part);

/* A file in Chrome's JSON format. */
struct dj_chrome_file {
    struct dj_chrome_events *events;
    /* True if an older version of dejank wrote the file. In such a file, the ids of all
     * threads differ, and the CPUs are threads of one process. */
    bool ours;
};

/* Converts an event after its last token was added. Sets *fault to a message about a
 * missing field, or to NULL. Sets *known to true if the event was converted. Returns the
 * result of dj_chrome_events_add(). */
int dj_chrome_fields_convert(const struct dj_chrome_fields *raw,
                             struct dj_chrome_file *file, bool *known,
                             const char **fault);

#endif
