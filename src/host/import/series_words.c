/* Finds the meaning of words for directions, units and columns in histories. */
#include <stdio.h>
#include <string.h>

#include "import/series_private.h"

enum { WORDS_MOST = 20, SENSES = DJ_SERIES_EITHER + 1 };

/* Returns the index of a word in a list, ignoring case, or WORDS_MOST if the list does
 * not contain it. */
static size_t find_word(const char *const row[WORDS_MOST], const char *word)
{
    size_t i = 0;
    while (i < WORDS_MOST && (row[i] == NULL || strcasecmp(word, row[i]) != 0)) {
        i++;
    }
    return i;
}

/* Returns the direction whose list contains the word, or DJ_SERIES_UNKNOWN. */
static enum dj_series_sense find_sense(const char *const rows[SENSES][WORDS_MOST],
                                       const char *word)
{
    enum dj_series_sense sense = DJ_SERIES_EITHER;
    while (sense != DJ_SERIES_UNKNOWN && find_word(rows[sense], word) == WORDS_MOST) {
        sense--;
    }
    return sense;
}

static const char *const senses[SENSES][WORDS_MOST] = {
    [DJ_SERIES_LESS] = {"less", "lower", "smaller", "down", "-1", "lower_is_better",
                        "smaller_is_better"},
    [DJ_SERIES_MORE] = {"more", "higher", "larger", "bigger", "up", "1",
                        "higher_is_better", "bigger_is_better"},
    [DJ_SERIES_EITHER] = {"neutral", "either", "none", "0"},
};

bool dj_import_series_sense_find(const char *word, enum dj_series_sense *sense)
{
    enum dj_series_sense found = find_sense(senses, word);
    *sense = found != DJ_SERIES_UNKNOWN ? found : *sense;
    return found != DJ_SERIES_UNKNOWN;
}

/* Units that show which direction is better. */
static const char *const units[SENSES][WORDS_MOST] = {
    [DJ_SERIES_LESS] = {"ns", "us", "µs", "ms", "s", "sec", "seconds", "milliseconds",
                        "microseconds", "nanoseconds", "B", "bytes", "kB", "KiB", "MB",
                        "MiB", "GB", "mJ", "mW"},
    [DJ_SERIES_MORE] = {"fps", "Hz", "ops/s", "op/s", "tx/s", "req/s", "1/s", "MB/s",
                        "MiB/s"},
};

enum dj_series_sense dj_import_series_find_unit_sense(const char *unit,
                                                      const char *metric)
{
    if (unit != NULL && unit[0] != '\0') {
        return find_sense(units, unit);
    }
    return strcasecmp(metric, "fps") == 0 ? DJ_SERIES_MORE : DJ_SERIES_UNKNOWN;
}

static bool is_unit(const char *word)
{
    return find_sense(units, word) != DJ_SERIES_UNKNOWN || strcmp(word, "%") == 0;
}

bool dj_import_series_split_unit(char *name, char *unit, size_t unit_size)
{
    size_t length = strlen(name);
    char *open = strrchr(name, '(');
    char *bracket = strrchr(name, '[');
    open = open == NULL || (bracket != NULL && bracket > open) ? bracket : open;
    if (open != NULL && open > name && length >= 2 &&
        (name[length - 1] == ')' || name[length - 1] == ']')) {
        name[length - 1] = '\0';
        snprintf(unit, unit_size, "%s", open + 1);
        while (open > name && (open[-1] == ' ' || open[-1] == '_')) {
            open--;
        }
        *open = '\0';
        return unit[0] != '\0' && name[0] != '\0';
    }
    char *line = strrchr(name, '_');
    if (line != NULL && line > name && is_unit(line + 1)) {
        snprintf(unit, unit_size, "%s", line + 1);
        /* The name is not changed, because the tool itself calls the metric "p95_ms". */
        return true;
    }
    return false;
}

static const char *const names[DJ_SERIES_KEYS][WORDS_MOST] = {
    [DJ_SERIES_KEY_TIME] = {"time", "timestamp", "date", "datetime", "at", "at_unix_ms",
                            "push_timestamp", "commit_time", "commit_date", "created",
                            "created_at"},
    [DJ_SERIES_KEY_VERSION] = {"version", "build", "tag", "app_version"},
    [DJ_SERIES_KEY_COMMIT] = {"commit", "commit_id", "commit_hash", "sha", "hash",
                              "revision", "rev", "changeset"},
    [DJ_SERIES_KEY_METRIC] = {"metric", "measure", "measurement", "benchmark", "name",
                              "test"},
    [DJ_SERIES_KEY_VALUE] = {"value", "result", "score", "y"},
    [DJ_SERIES_KEY_UNIT] = {"unit", "units"},
    [DJ_SERIES_KEY_SENSE] = {"better", "direction"},
    [DJ_SERIES_KEY_FLOW] = {"flow", "scenario", "suite"},
    [DJ_SERIES_KEY_DEVICE] = {"device", "machine", "host", "platform"},
    [DJ_SERIES_KEY_RELEASE] = {"release", "os"},
    [DJ_SERIES_KEY_CONFIG] = {"config", "configuration", "options", "branch"},
    [DJ_SERIES_KEY_IGNORED] = {"id", "run", "run_id", "index", "author", "message",
                               "push_id"},
};

enum dj_series_key dj_import_series_key_find(const char *name, size_t *rank)
{
    for (enum dj_series_key key = 0; key < DJ_SERIES_KEYS; key++) {
        *rank = find_word(names[key], name);
        if (*rank < WORDS_MOST) {
            return key;
        }
    }
    return DJ_SERIES_KEYS;
}
