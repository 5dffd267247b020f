#include <string.h>

#include "fleet/cluster.h"
#include "memory/memory.h"

enum { FILE_MOST = 64 << 10, TIMEOUT_S = 300 };
static const char default_name[] = "dejank";

/* Splits http://USER@HOST, so that the password of a file belongs to this user. Leaves
 * http://USER:PASSWORD@HOST to libcurl. */
static void split_url(struct dj_shard *shard, struct dj_str url)
{
    shard->url = dj_xcopy(url.at, url.length);
    shard->label = dj_xstrdup(shard->url);
    char *user = strstr(shard->label, "://") + 3;
    char *at = strrchr(user, '@');
    if (at == NULL) {
        return;
    }
    size_t length = (size_t)(at - user);
    bool has_password = memchr(user, ':', length) != NULL;
    shard->user = has_password ? NULL : dj_xcopy(user, length);
    memmove(user, at + 1, strlen(at + 1) + 1);
    if (!has_password) {
        free(shard->url);
        shard->url = dj_xstrdup(shard->label);
    }
}

static int add_shard(struct dj_cluster *cluster, struct dj_str url, struct dj_error *err)
{
    while (dj_str_ends(url, "/")) {
        url.length--;
    }
    if (!dj_str_begins(url, "http://") && !dj_str_begins(url, "https://")) {
        return dj_error_set(err, DJ_E_USAGE,
                            "expected a shard such as http://HOST:8123, found '%.*s'",
                            (int)(url.length < 100 ? url.length : 100), url.at);
    }
    if (cluster->count == DJ_CLUSTER_SHARDS_MOST) {
        return dj_error_set(err, DJ_E_USAGE, "expected at most %d shards",
                            DJ_CLUSTER_SHARDS_MOST);
    }
    DJ_XROOM(cluster->shards, cluster->count);
    struct dj_shard *shard = &cluster->shards[cluster->count++];
    *shard = (struct dj_shard){0};
    split_url(shard, url);
    return 0;
}

static int read_small_file(const char *path, struct dj_text *text, struct dj_error *err)
{
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return dj_error_set(err, DJ_E_USAGE, "%s: %m", path);
    }
    char bytes[4096];
    size_t got;
    text->maximum = FILE_MOST;
    while ((got = fread(bytes, 1, sizeof(bytes), file)) > 0) {
        dj_text_append(text, bytes, got);
    }
    fclose(file);
    return text->failed ? dj_error_set(err, DJ_E_USAGE, "%s: expected at most %d bytes",
                                       path, FILE_MOST)
                        : 0;
}

static int read_password(struct dj_cluster *cluster, const char *path,
                         struct dj_error *err)
{
    struct dj_text text = {0};
    int code = read_small_file(path, &text, err);
    if (code == 0) {
        struct dj_str line = dj_str_until(dj_text_str(&text), "\r\n");
        free(cluster->password);
        cluster->password = dj_xcopy(line.at, line.length);
    }
    dj_text_finish(&text);
    return code;
}

static int read_name(struct dj_cluster *cluster, struct dj_str name, struct dj_error *err)
{
    char *copy = dj_xcopy(name.at, name.length);
    if (name.length == 0 ||
        copy[strspn(copy, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                          "_-.")] != '\0') {
        free(copy);
        return dj_error_set(err, DJ_E_USAGE,
                            "expected a cluster's name of letters, digits, '_', '-' and "
                            "'.'");
    }
    free(cluster->name);
    cluster->name = copy;
    return 0;
}

/* Reads one line of the file. */
static int read_setting(struct dj_cluster *cluster, struct dj_str line,
                        struct dj_error *err)
{
    struct dj_str value;
    if (line.length == 0 || line.at[0] == '#') {
        return 0;
    }
    if (dj_str_begins(line, "shard ") && dj_str_after(line, " ", &value)) {
        return add_shard(cluster, dj_str_trim(value), err);
    }
    if (dj_str_begins(line, "cluster ") && dj_str_after(line, " ", &value)) {
        return read_name(cluster, dj_str_trim(value), err);
    }
    if (dj_str_begins(line, "password-file ") && dj_str_after(line, " ", &value)) {
        value = dj_str_trim(value);
        char *path = dj_xcopy(value.at, value.length);
        int code = read_password(cluster, path, err);
        free(path);
        return code;
    }
    return dj_error_set(err, DJ_E_USAGE,
                        "expected 'shard URL', 'cluster NAME' or 'password-file FILE'");
}

static int read_settings(struct dj_cluster *cluster, const char *path,
                         struct dj_error *err)
{
    struct dj_text text = {0};
    int code = read_small_file(path, &text, err);
    struct dj_str rest = dj_text_str(&text), line;
    for (size_t number = 1; code == 0 && dj_str_next_line(&rest, &line); number++) {
        code = read_setting(cluster, line, err);
        if (code != 0) {
            dj_error_prepend(err, "%s:%zu", path, number);
        }
    }
    dj_text_finish(&text);
    return code;
}

int dj_fleet_cluster_open(struct dj_cluster *cluster,
                          const struct dj_fleet_cluster_place *place,
                          struct dj_error *err)
{
    const char *path = getenv("DEJANK_FLEET");
    *cluster = (struct dj_cluster){.timeout_s = place->timeout_s > 0 ? place->timeout_s
                                                                     : TIMEOUT_S};
    int code = 0;
    if (place->shard_count == 0 && path != NULL && path[0] != '\0') {
        code = read_settings(cluster, path, err);
    }
    for (size_t i = 0; i < place->shard_count && code == 0; i++) {
        code = add_shard(cluster, dj_str_of(place->shards[i]), err);
    }
    if (code == 0 && place->name != NULL) {
        code = read_name(cluster, dj_str_of(place->name), err);
    }
    if (code == 0 && place->password_file != NULL) {
        code = read_password(cluster, place->password_file, err);
    }
    if (code == 0 && cluster->count == 0) {
        code = dj_error_set(err, DJ_E_USAGE,
                            "expected --shard URL for each shard, or the environment "
                            "variable DEJANK_FLEET with the name of a file of shards");
    }
    if (cluster->name == NULL) {
        cluster->name = dj_xstrdup(default_name);
    }
    return code;
}
