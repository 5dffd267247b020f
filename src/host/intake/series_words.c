/* What people call things in histories: directions, units, columns. */
#include <stdio.h>
#include <string.h>

#include "intake/series_parts.h"

static const struct {
    const char *word;
    enum dj_series_sense sense;
} senses[] = {
    {"less", DJ_SERIES_LESS},
    {"more", DJ_SERIES_MORE},
    {"neutral", DJ_SERIES_EITHER},
    {"lower", DJ_SERIES_LESS},
    {"smaller", DJ_SERIES_LESS},
    {"down", DJ_SERIES_LESS},
    {"-1", DJ_SERIES_LESS},
    {"lower_is_better", DJ_SERIES_LESS},
    {"smaller_is_better", DJ_SERIES_LESS},
    {"higher", DJ_SERIES_MORE},
    {"larger", DJ_SERIES_MORE},
    {"bigger", DJ_SERIES_MORE},
    {"up", DJ_SERIES_MORE},
    {"1", DJ_SERIES_MORE},
    {"higher_is_better", DJ_SERIES_MORE},
    {"bigger_is_better", DJ_SERIES_MORE},
    {"either", DJ_SERIES_EITHER},
    {"none", DJ_SERIES_EITHER},
    {"0", DJ_SERIES_EITHER},
};

bool dj_series_sense_find(const char *word, enum dj_series_sense *sense)
{
    for (size_t i = 0; i < COUNT_OF(senses); i++) {
        if (strcasecmp(word, senses[i].word) == 0) {
            *sense = senses[i].sense;
            return true;
        }
    }
    return false;
}

const char *dj_series_sense_name(enum dj_series_sense sense)
{
    static const char *const names[] = {[DJ_SERIES_UNSAID] = "neutral",
                                        [DJ_SERIES_LESS] = "less",
                                        [DJ_SERIES_MORE] = "more",
                                        [DJ_SERIES_EITHER] = "neutral"};
    return names[sense];
}

static const struct {
    const char *unit;
    enum dj_series_sense sense;
} units[] = {
    {"ns", DJ_SERIES_LESS},
    {"us", DJ_SERIES_LESS},
    {"µs", DJ_SERIES_LESS},
    {"ms", DJ_SERIES_LESS},
    {"s", DJ_SERIES_LESS},
    {"sec", DJ_SERIES_LESS},
    {"seconds", DJ_SERIES_LESS},
    {"milliseconds", DJ_SERIES_LESS},
    {"microseconds", DJ_SERIES_LESS},
    {"nanoseconds", DJ_SERIES_LESS},
    {"B", DJ_SERIES_LESS},
    {"bytes", DJ_SERIES_LESS},
    {"kB", DJ_SERIES_LESS},
    {"KiB", DJ_SERIES_LESS},
    {"MB", DJ_SERIES_LESS},
    {"MiB", DJ_SERIES_LESS},
    {"GB", DJ_SERIES_LESS},
    {"mJ", DJ_SERIES_LESS},
    {"mW", DJ_SERIES_LESS},
    {"fps", DJ_SERIES_MORE},
    {"Hz", DJ_SERIES_MORE},
    {"ops/s", DJ_SERIES_MORE},
    {"op/s", DJ_SERIES_MORE},
    {"tx/s", DJ_SERIES_MORE},
    {"req/s", DJ_SERIES_MORE},
    {"1/s", DJ_SERIES_MORE},
    {"MB/s", DJ_SERIES_MORE},
    {"MiB/s", DJ_SERIES_MORE},
};

/* As far as that is beyond doubt. */
static enum dj_series_sense sense_of_unit(const char *unit)
{
    for (size_t i = 0; unit != NULL && i < COUNT_OF(units); i++) {
        if (strcasecmp(unit, units[i].unit) == 0) {
            return units[i].sense;
        }
    }
    return DJ_SERIES_UNSAID;
}

enum dj_series_sense dj_series_sense_of(const char *unit, const char *metric)
{
    bool named = (unit == NULL || unit[0] == '\0') && strcasecmp(metric, "fps") == 0;
    return sense_of_unit(named ? metric : unit);
}

static bool is_unit(const char *word)
{
    return sense_of_unit(word) != DJ_SERIES_UNSAID || strcmp(word, "%") == 0;
}

bool dj_series_unit_of_name(char *name, char *unit, size_t unit_size)
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
        return true; /* the name stays whole: "p95_ms" is how its tool calls it */
    }
    return false;
}

static const struct {
    const char *name;
    enum dj_series_key key;
} names[] = {
    {"time", DJ_SERIES_KEY_TIME},
    {"timestamp", DJ_SERIES_KEY_TIME},
    {"date", DJ_SERIES_KEY_TIME},
    {"datetime", DJ_SERIES_KEY_TIME},
    {"at", DJ_SERIES_KEY_TIME},
    {"at_unix_ms", DJ_SERIES_KEY_TIME},
    {"push_timestamp", DJ_SERIES_KEY_TIME},
    {"commit_time", DJ_SERIES_KEY_TIME},
    {"commit_date", DJ_SERIES_KEY_TIME},
    {"created", DJ_SERIES_KEY_TIME},
    {"created_at", DJ_SERIES_KEY_TIME},
    {"version", DJ_SERIES_KEY_VERSION},
    {"build", DJ_SERIES_KEY_VERSION},
    {"tag", DJ_SERIES_KEY_VERSION},
    {"app_version", DJ_SERIES_KEY_VERSION},
    {"commit", DJ_SERIES_KEY_COMMIT},
    {"commit_id", DJ_SERIES_KEY_COMMIT},
    {"commit_hash", DJ_SERIES_KEY_COMMIT},
    {"sha", DJ_SERIES_KEY_COMMIT},
    {"hash", DJ_SERIES_KEY_COMMIT},
    {"revision", DJ_SERIES_KEY_COMMIT},
    {"rev", DJ_SERIES_KEY_COMMIT},
    {"changeset", DJ_SERIES_KEY_COMMIT},
    {"metric", DJ_SERIES_KEY_METRIC},
    {"measure", DJ_SERIES_KEY_METRIC},
    {"measurement", DJ_SERIES_KEY_METRIC},
    {"benchmark", DJ_SERIES_KEY_METRIC},
    {"name", DJ_SERIES_KEY_METRIC},
    {"test", DJ_SERIES_KEY_METRIC},
    {"value", DJ_SERIES_KEY_VALUE},
    {"result", DJ_SERIES_KEY_VALUE},
    {"score", DJ_SERIES_KEY_VALUE},
    {"y", DJ_SERIES_KEY_VALUE},
    {"unit", DJ_SERIES_KEY_UNIT},
    {"units", DJ_SERIES_KEY_UNIT},
    {"better", DJ_SERIES_KEY_SENSE},
    {"direction", DJ_SERIES_KEY_SENSE},
    {"flow", DJ_SERIES_KEY_FLOW},
    {"scenario", DJ_SERIES_KEY_FLOW},
    {"suite", DJ_SERIES_KEY_FLOW},
    {"device", DJ_SERIES_KEY_DEVICE},
    {"machine", DJ_SERIES_KEY_DEVICE},
    {"host", DJ_SERIES_KEY_DEVICE},
    {"platform", DJ_SERIES_KEY_DEVICE},
    {"release", DJ_SERIES_KEY_RELEASE},
    {"os", DJ_SERIES_KEY_RELEASE},
    {"config", DJ_SERIES_KEY_CONFIG},
    {"configuration", DJ_SERIES_KEY_CONFIG},
    {"options", DJ_SERIES_KEY_CONFIG},
    {"branch", DJ_SERIES_KEY_CONFIG},
    {"id", DJ_SERIES_KEY_IGNORED},
    {"run", DJ_SERIES_KEY_IGNORED},
    {"run_id", DJ_SERIES_KEY_IGNORED},
    {"index", DJ_SERIES_KEY_IGNORED},
    {"author", DJ_SERIES_KEY_IGNORED},
    {"message", DJ_SERIES_KEY_IGNORED},
    {"push_id", DJ_SERIES_KEY_IGNORED},
};

enum dj_series_key dj_series_key_find(const char *name, size_t length, size_t *rank)
{
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (strlen(names[i].name) == length &&
            strncasecmp(name, names[i].name, length) == 0) {
            *rank = i;
            return names[i].key;
        }
    }
    return DJ_SERIES_KEYS;
}
