#include <stdlib.h>
#include <string.h>

#include "judge/trend.h"

/* A member of a flat JSON object: spans of its text. */
struct member {
    const char *name;
    size_t name_length;
    const char *value;
    size_t value_length;
};

static const char *skip_blank(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* Behind the string that begins at `at`; NULL: it has no end. */
static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++) {
        if (*at == '\\' && at[1] != '\0') {
            at++;
        }
        if (*at == '\0') {
            return NULL;
        }
    }
    return at + 1;
}

/* Behind any value, with all that is in it. */
static const char *skip_value(const char *at)
{
    int depth = 0;
    while (at != NULL && *at != '\0') {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        if (depth == 0 && (*at == ',' || *at == '}')) {
            return at;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    }
    return NULL;
}

static bool next_member(const char **at, struct member *member)
{
    const char *from = skip_blank(*at);
    if (*from != '{' && *from != ',') {
        return false;
    }
    from = skip_blank(from + 1);
    const char *end = *from == '"' ? skip_string(from) : NULL;
    if (end == NULL) {
        return false;
    }
    *member = (struct member){.name = from + 1, .name_length = (size_t)(end - from) - 2};
    end = skip_blank(end);
    if (*end != ':') {
        return false;
    }
    member->value = skip_blank(end + 1);
    end = skip_value(member->value);
    if (end == NULL) {
        return false;
    }
    member->value_length = (size_t)(end - member->value);
    *at = end;
    return true;
}

/* ---- words ---- */

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

static void put_member(struct dj_text *text, const struct member *member,
                       const char *words, enum kind kind)
{
    double number = strtod(member->value, NULL);
    size_t length = member->value_length;
    bool quoted = length >= 2 && member->value[0] == '"';
    const char *gap = words[0] != '\0' ? " " : "";
    bool is_empty = kind == TEXT && quoted && length == 2;
    if (kind == NOTHING || is_empty ||
        (kind == FLAG && strncmp(member->value, "true", 4) != 0) ||
        (length == 4 && strncmp(member->value, "null", 4) == 0)) {
        return;
    }
    dj_text_string(text, text->length > 0 ? ", " : "");
    dj_text_string(text, words);
    if (kind == SECONDS) {
        dj_text_format(text, " %.6g s", number / 1e9);
    } else if (kind == HERTZ) {
        dj_text_format(text, " %.6g Hz", number);
    } else if (kind == TEXT) {
        dj_text_string(text, gap);
        dj_text_append(text, member->value + quoted, length - (quoted ? 2 : 0));
    }
}

void dj_trend_config(struct dj_text *text, const char *options)
{
    struct member member;
    struct dj_text words = {0};
    const char *at = options;
    while (at != NULL && next_member(&at, &member)) {
        size_t i = 0;
        size_t count = sizeof(known) / sizeof(known[0]);
        while (i < count &&
               (strlen(known[i].name) != member.name_length ||
                memcmp(known[i].name, member.name, member.name_length) != 0)) {
            i++;
        }
        struct dj_text name = {0};
        dj_text_append(&name, member.name, member.name_length);
        put_member(&words, &member, i < count ? known[i].words : dj_text_get(&name),
                   i < count ? known[i].kind : TEXT);
        dj_text_finish(&name);
    }
    dj_text_append(text, dj_text_get(&words), words.length);
    text->failed = text->failed || words.failed;
    dj_text_finish(&words);
}
