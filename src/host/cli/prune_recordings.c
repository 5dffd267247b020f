/* `dejank store prune --recordings`: removes what `dejank record` left of programs that
 * have ended, in this user's own directory. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/json.h"
#include "cli/options.h"
#include "cli/store_job.h"
#include "memory/memory.h"
#include "segment/directory.h"
#include "segment/sections_layout.h"
#include "segment/snapshot.h"

/* One process's part of a recording. */
struct part {
    struct dj_segment_file file;
    struct dj_segment_identity identity; /* zero if the file cannot be read */
    int64_t bytes;
};

/* The processes that one `dejank record` ran: neighbours in a sorted array of parts. */
struct recording {
    const struct part *parts;
    size_t count;
    const char *name;
    int64_t last_unix_ms; /* of its last frame */
    int64_t bytes;
    bool alive, named, temporary;
};

struct parts {
    struct part *part;
    size_t count;
};

static int64_t disk_bytes(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 ? (int64_t)status.st_blocks * 512 : 0;
}

static bool add_part(const struct dj_segment_file *file, void *user)
{
    struct parts *parts = user;
    char sections[DJ_SEGMENT_PATH + sizeof(DJ_SECTIONS_SUFFIX)];
    DJ_XROOM(parts->part, parts->count);
    struct part *part = &parts->part[parts->count++];
    *part = (struct part){.file = *file};
    if (dj_segment_identify(file->path, file->owner, &part->identity, NULL) != 0) {
        part->identity = (struct dj_segment_identity){0};
    }
    snprintf(sections, sizeof(sections), "%s" DJ_SECTIONS_SUFFIX, file->path);
    part->bytes = disk_bytes(file->path) + disk_bytes(sections);
    return true;
}

/* By run, then by the length of the name: NAME comes before NAME:PROGRAM. */
static int compare_parts(const void *left, const void *right)
{
    const struct part *a = left, *b = right;
    size_t a_length = strlen(a->identity.name), b_length = strlen(b->identity.name);
    if (a->identity.run_ns != b->identity.run_ns) {
        return a->identity.run_ns < b->identity.run_ns ? -1 : 1;
    }
    return a_length < b_length ? -1 : a_length > b_length;
}

static struct recording group(const struct part *parts, size_t most)
{
    const char *slash = strrchr(parts[0].file.path, '/');
    struct recording recording = {
        .parts = parts,
        .name = parts[0].identity.name[0] != '\0' ? parts[0].identity.name : slash + 1,
        .temporary = true,
    };
    do {
        const struct part *part = &parts[recording.count++];
        recording.bytes += part->bytes;
        recording.alive = recording.alive || !part->file.ended;
        recording.named = recording.named || part->file.retention == DJ_RETAIN_NAMED;
        recording.temporary =
            recording.temporary && part->file.retention == DJ_RETAIN_TEMPORARY;
        if (part->file.modified_s * 1000 > recording.last_unix_ms) {
            recording.last_unix_ms = part->file.modified_s * 1000;
        }
        /* A file that cannot be read is a recording of its own. */
    } while (recording.count < most && parts[0].identity.run_ns != 0 &&
             parts[0].identity.run_ns == parts[recording.count].identity.run_ns);
    return recording;
}

static bool is_wanted(const struct dj_store_job *job, const struct recording *recording)
{
    const char *name = job->values->name;
    return !recording->alive && (!job->values->temporary || recording->temporary) &&
           (name == NULL || strcmp(name, recording->name) == 0 ||
            (strncmp(name, recording->name, strlen(name)) == 0 &&
             recording->name[strlen(name)] == ':'));
}

/* Returns the wanted recordings, oldest first; the caller frees them. */
static struct recording *list_recordings(const struct dj_store_job *job,
                                         struct parts *parts, size_t *count)
{
    struct recording *recordings = dj_xcalloc(parts->count, sizeof(*recordings));
    *count = 0;
    if (parts->count > 0) {
        qsort(parts->part, parts->count, sizeof(*parts->part), compare_parts);
    }
    for (size_t i = 0; i < parts->count;) {
        struct recording recording = group(&parts->part[i], parts->count - i);
        if (is_wanted(job, &recording)) {
            recordings[(*count)++] = recording;
        }
        i += recording.count;
    }
    return recordings;
}

static void report_recording(struct dj_store_job *job, const struct recording *recording)
{
    struct dj_text *text = &job->text;
    char last[DJ_MOMENT];
    if (job->values->json) {
        dj_json_open_object(text, NULL);
        dj_json_put_string(text, "name", recording->name);
        dj_json_put_bool(text, "named", recording->named);
        dj_json_put_int(text, "processes", (int64_t)recording->count);
        dj_json_put_int(text, "last_unix_ms", recording->last_unix_ms);
        dj_json_put_int(text, "bytes", recording->bytes);
        dj_json_close(text, "}");
        return;
    }
    dj_report_moment(recording->last_unix_ms, last);
    dj_text_format(text, "%s  %6.1f MB  ", last, (double)recording->bytes / 1e6);
    dj_text_put_any_name(text, "", recording->name, "\n");
}

static void report_sum(struct dj_store_job *job, int64_t recordings, int64_t bytes)
{
    struct dj_text *text = &job->text;
    if (job->values->json) {
        dj_store_close_array(job);
        dj_json_put_bool(text, "deleted", job->values->yes);
        dj_json_put_int(text, "bytes", bytes);
        dj_store_end_json(job);
        return;
    }
    dj_store_put_count(text, job->values->yes ? "deleted " : "would delete ", recordings,
                       "recording", "recordings");
    dj_text_format(text, " (%.1f MB)\n", (double)bytes / 1e6);
    if (!job->values->yes && recordings > 0) {
        dj_complain("nothing was deleted; use --yes to delete the recordings");
    }
}

static int remove_recording(const struct recording *recording, struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < recording->count && code == 0; i++) {
        code = dj_segment_remove(&recording->parts[i].file, err);
    }
    return code;
}

static int prune(struct dj_store_job *job, const struct recording *recordings,
                 size_t count, int64_t before_unix_ms)
{
    int64_t pruned = 0, bytes = 0;
    int code = 0;
    size_t going =
        count > (size_t)job->values->keep ? count - (size_t)job->values->keep : 0;
    for (size_t i = 0; i < going && code == 0; i++) {
        if (recordings[i].last_unix_ms >= before_unix_ms) {
            continue;
        }
        code = job->values->yes ? remove_recording(&recordings[i], &job->err) : 0;
        if (code == 0) {
            report_recording(job, &recordings[i]);
            pruned++;
            bytes += recordings[i].bytes;
        }
    }
    report_sum(job, pruned, bytes);
    return code;
}

int dj_store_prune_recordings(struct dj_store_job *job)
{
    struct dj_segment_place place;
    struct parts parts = {0};
    int64_t before_unix_ms = INT64_MAX;
    int code = dj_store_age_limit(job, &before_unix_ms);
    code = code == 0 ? dj_segment_own_directory(&place, &job->err) : code;
    code = code == 0 ? dj_segment_scan(&place, add_part, &parts, &job->err) : code;
    if (code == 0) {
        size_t count;
        struct recording *recordings = list_recordings(job, &parts, &count);
        dj_store_begin_json(job, "prune-recordings", "recordings");
        code = prune(job, recordings, count, before_unix_ms);
        free(recordings);
    }
    free(parts.part);
    return code;
}
