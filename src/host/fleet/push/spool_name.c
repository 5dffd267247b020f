#include <inttypes.h>
#include <string.h>

#include "fleet/spool.h"

static const char suffix[] = ".rowbinary";

void dj_fleet_spool_append_label(struct dj_text *name, const struct dj_spool_label *label)
{
    dj_text_format(name, ".%" PRId64, label->sessions);
    if (label->shard_count > 0) {
        dj_text_format(name, ".%zu-of-%zu", label->shard, label->shard_count);
    }
    dj_text_add(name, suffix);
}

/* Removes the part after the last '.' from *rest. Returns false if there is no '.'. */
static bool split_last(struct dj_str *rest, struct dj_str *part)
{
    const char *dot =
        rest->length > 0 ? memrchr(rest->at, '.', rest->length) : (const char *)NULL;
    if (dot == NULL) {
        return false;
    }
    *part = dj_str_between(dot + 1, rest->at + rest->length);
    *rest = dj_str_between(rest->at, dot);
    return true;
}

/* Parses a text that is a number and nothing else. */
static bool read_number(struct dj_str text, int64_t *number)
{
    for (size_t i = 0; i < text.length; i++) {
        if (text.at[i] < '0' || text.at[i] > '9') {
            return false;
        }
    }
    return dj_str_int(text, number);
}

/* Parses SHARD-of-COUNT. */
static bool read_shard(struct dj_str text, struct dj_spool_label *label)
{
    struct dj_str count;
    int64_t shard = 0, shards = 0;
    if (!dj_str_after(text, "-of-", &count) ||
        !read_number(dj_str_between(text.at, count.at - strlen("-of-")), &shard) ||
        !read_number(count, &shards) || shard >= shards) {
        return false;
    }
    label->shard = (size_t)shard;
    label->shard_count = (size_t)shards;
    return true;
}

struct dj_spool_label dj_fleet_spool_parse_label(const char *path)
{
    struct dj_spool_label label = {0};
    const char *slash = strrchr(path, '/');
    struct dj_str rest = dj_str_of(slash != NULL ? slash + 1 : path), part;
    if (!dj_str_ends(rest, suffix)) {
        return label;
    }
    rest.length -= strlen(suffix);
    if (split_last(&rest, &part) && read_shard(part, &label) &&
        !split_last(&rest, &part)) {
        return (struct dj_spool_label){0};
    }
    return read_number(part, &label.sessions) ? label : (struct dj_spool_label){0};
}
