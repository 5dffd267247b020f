#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gate/baseline.h"

static const struct {
    const char *word;
    enum dj_baseline_kind kind;
} plain[] = {{"last-release", DJ_BASELINE_LAST_RELEASE},
             {"interleaved", DJ_BASELINE_INTERLEAVED},
             {"none", DJ_BASELINE_NONE},
             {"merge-base", DJ_BASELINE_MERGE_BASE}};

static int set_name(struct dj_baseline_option *wish, const char *name, const char *words,
                    struct dj_error *err)
{
    int length = snprintf(wish->name, sizeof(wish->name), "%s", name);
    return length <= 0 || (size_t)length >= sizeof(wish->name)
               ? dj_error_set(err, DJ_E_USAGE,
                              "'%.80s': expected a name of 1 to %zu characters", words,
                              sizeof(wish->name) - 1)
               : 0;
}

static int parse_last(const char *words, struct dj_baseline_option *wish,
                      struct dj_error *err)
{
    char *end;
    long count = strtol(words + 5, &end, 10);
    wish->kind = DJ_BASELINE_LAST;
    wish->count = count > 0 ? (size_t)count : 0;
    if (!isdigit((unsigned char)words[5]) || count < 1 || count > 1000 ||
        (*end != '\0' && *end != ':')) {
        return dj_error_set(
            err, DJ_E_USAGE,
            "'%.80s': expected last:N or last:N:BRANCH with N from 1 to 1000", words);
    }
    return *end == ':' ? set_name(wish, end + 1, words, err) : 0;
}

int dj_gate_baseline_parse(const char *words, struct dj_baseline_option *wish,
                           struct dj_error *err)
{
    *wish = (struct dj_baseline_option){.kind = DJ_BASELINE_NAMED};
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        if (strcmp(words, plain[i].word) == 0) {
            wish->kind = plain[i].kind;
            return 0;
        }
    }
    if (strncmp(words, "last:", 5) == 0) {
        return parse_last(words, wish, err);
    }
    if (strncmp(words, "merge-base:", 11) == 0) {
        wish->kind = DJ_BASELINE_MERGE_BASE;
        return set_name(wish, words + 11, words, err);
    }
    return set_name(wish, strncmp(words, "build:", 6) == 0 ? words + 6 : words, words,
                    err);
}
