#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "memory/memory.h"
#include "trend/trend.h"

enum kind { NOTHING, SECONDS, HERTZ, FLAG, TEXT };

static const struct {
    const char *name, *words;
    enum kind kind;
} known[] = {
    {"apk", "", NOTHING},
    {"command", "", NOTHING},
    {"plan", "", NOTHING},
    {"warmups", "", NOTHING},
    {"retries", "", NOTHING},
    {"duration_ns", "for", SECONDS},
    {"settle_ns", "settled", SECONDS},
    {"refresh_hz", "at", HERTZ},
    {"aggregate_only", "aggregate only", FLAG},
    {"profile", "profile", FLAG},
    {"attach", "attached", FLAG},
    {"driver", "", TEXT},
    {"arguments", "", TEXT},
    {"activity", "activity", TEXT},
};

static void add_value(struct dj_text *text, const char *gap, const json_t *value)
{
    char *json =
        json_is_string(value) ? NULL : json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    const char *words = json_is_string(value) ? json_string_value(value) : json;
    dj_xcheck(words != NULL);
    dj_text_add(text, gap);
    dj_text_add(text, words);
    free(json);
}

static bool is_shown(const json_t *value, enum kind kind)
{
    return kind != NOTHING && !json_is_null(value) &&
           (kind != FLAG || json_is_true(value)) &&
           (kind != TEXT || !json_is_string(value) || json_string_length(value) > 0);
}

static void add_member(struct dj_text *text, const char *words, enum kind kind,
                       const json_t *value)
{
    dj_text_add(text, words);
    if (kind == SECONDS) {
        dj_text_format(text, " %.6g s", json_number_value(value) / 1e9);
    } else if (kind == HERTZ) {
        dj_text_format(text, " %.6g Hz", json_number_value(value));
    } else if (kind == TEXT) {
        add_value(text, words[0] != '\0' ? " " : "", value);
    }
}

void dj_trend_format_config(struct dj_text *text, const char *options)
{
    const size_t count = COUNT_OF(known);
    json_t *root = options != NULL ? json_loads(options, 0, NULL) : NULL;
    const char *gap = "", *name;
    json_t *value;
    json_object_foreach(root, name, value)
    {
        size_t i = 0;
        while (i < count && strcmp(known[i].name, name) != 0) {
            i++;
        }
        enum kind kind = i < count ? known[i].kind : TEXT;
        if (is_shown(value, kind)) {
            dj_text_add(text, gap);
            add_member(text, i < count ? known[i].words : name, kind, value);
            gap = ", ";
        }
    }
    json_decref(root);
}
