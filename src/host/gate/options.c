#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/duration.h"
#include "gate/gate.h"
#include "memory/memory.h"

/* Reads a number that begins with a digit or a point. Signs, hexadecimal numbers and
 * infinity are refused. */
static bool read_number(const char *text, double *value, const char **rest)
{
    char *end;
    text += strspn(text, " ");
    if (strspn(text, "0123456789.") == 0) {
        return false;
    }
    *value = strtod(text, &end);
    *rest = end + strspn(end, " ");
    return end > text && isfinite(*value) &&
           memchr(text, 'x', (size_t)(end - text)) == NULL;
}

bool dj_gate_read_share(const char *text, double *share)
{
    double value;
    const char *rest;
    if (!read_number(text, &value, &rest)) {
        return false;
    }
    bool percent = strcmp(rest, "%") == 0;
    /* Numbers from 1 on are percentages. */
    *share = percent || value >= 1 ? value / 100 : value;
    return (percent || *rest == '\0') && *share > 0 && *share < 1;
}

bool dj_gate_read_age(const char *text, int64_t *ms)
{
    int64_t ns;
    size_t length = strlen(text);
    if (length == 0 || !isalpha((unsigned char)text[length - 1]) ||
        !dj_duration_parse(text, &ns)) {
        return false;
    }
    *ms = ns / 1000000;
    return *ms > 0;
}

bool dj_gate_read_metric(const char *text, struct dj_compare_gate *gate)
{
    size_t length = strcspn(text, "=");
    char *name = dj_xcopy(text, length);
    *gate = (struct dj_compare_gate){.metric = dj_compare_metric_find(name)};
    free(name);
    return gate->metric != NULL &&
           (text[length] == '\0' || dj_gate_read_share(text + length + 1, &gate->margin));
}

bool dj_gate_read_interim_levels(const char *text, double *runs, size_t *count)
{
    *count = 0;
    for (const char *rest = ","; *rest == ','; text = rest + 1) {
        double value;
        if (*count == DJ_LOOKS_MAX || !read_number(text, &value, &rest) ||
            floor(value) != value || value < 2 || value > 1e6 ||
            (*count > 0 && value <= runs[*count - 1])) {
            return false;
        }
        runs[(*count)++] = value;
        if (*rest != ',') {
            return *rest == '\0';
        }
    }
    return false;
}
