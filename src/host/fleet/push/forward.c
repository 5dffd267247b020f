#include <stdlib.h>

#include "fleet/convert.h"
#include "fleet/push.h"
#include "memory/memory.h"
#include "process/deadline.h"

/* Files are sent and then deleted in groups, so that a push that is killed repeats
 * little. */
enum { GROUP_FILES = 1000 };

struct forwarding {
    struct dj_pusher *pusher;
    const struct dj_messages *messages;
    struct dj_fleet_spool done; /* Files that have been read. */
};

static bool is_interrupted(void)
{
    return dj_interrupt_latest_ns(NULL) <= dj_host_now_ns();
}

/* Reads one file. A file that cannot be read is renamed to NAME.refused, unless it is
 * gone because another process has sent it. */
static int forward_file(struct forwarding *forwarding, const char *path)
{
    struct dj_session_origin origin = {.refresh_hz = -1, .ram_mb = -1};
    struct dj_error err = {0};
    int64_t ignored = 0, refused = dj_fleet_pusher_counts(forwarding->pusher).refused;
    dj_fleet_pusher_set_source(forwarding->pusher, path);
    int code =
        dj_fleet_read_file(path, &origin, forwarding->messages, dj_fleet_pusher_add,
                           forwarding->pusher, &ignored, &err);
    bool is_refused = dj_fleet_pusher_counts(forwarding->pusher).refused > refused;
    if (code == DJ_E_INVALID || (code == 0 && is_refused)) {
        dj_message(forwarding->messages, "%s is kept as %s.refused",
                   code != 0 ? err.message : path, path);
        dj_fleet_spool_reject(path);
        return 0;
    }
    if (code == 0) {
        DJ_XPUSH(forwarding->done.paths, forwarding->done.count, dj_xstrdup(path));
    }
    return code == DJ_E_IO ? 0 : code;
}

/* Deletes the files that have been read, after all of their sessions were sent or
 * spooled. */
static int end_group(struct forwarding *forwarding, struct dj_error *err)
{
    int code = dj_fleet_pusher_flush(forwarding->pusher, err);
    if (code == 0) {
        dj_fleet_spool_delete(&forwarding->done);
    }
    return code;
}

int dj_fleet_forward_spool(struct dj_pusher *pusher, const char *spool,
                           const struct dj_messages *messages, struct dj_error *err)
{
    struct forwarding forwarding = {pusher, messages, {0}};
    struct dj_fleet_spool files = {0};
    int code = dj_fleet_spool_list(spool, &files, err);
    for (size_t i = 0; i < files.count && code == 0 && !is_interrupted(); i++) {
        struct dj_spool_label label = dj_fleet_spool_parse_label(files.paths[i]);
        if (dj_fleet_pusher_is_down(pusher, &label)) {
            dj_fleet_pusher_keep(pusher, label.sessions);
        } else {
            code = forward_file(&forwarding, files.paths[i]);
        }
        if (code == 0 && forwarding.done.count >= GROUP_FILES) {
            code = end_group(&forwarding, err);
        }
    }
    struct dj_error flush_err = {0};
    int flushed = end_group(&forwarding, &flush_err);
    if (flushed != 0) {
        code = dj_error_set(err, flushed, "%s", flush_err.message);
    }
    dj_fleet_spool_finish(&forwarding.done);
    dj_fleet_spool_finish(&files);
    return code;
}
