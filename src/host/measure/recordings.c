#include "measure/recordings.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "memory/memory.h"
#include "segment/sections_layout.h"

struct part_list {
    struct dj_recording_part *part;
    size_t count;
};

static int64_t get_disk_bytes(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 ? (int64_t)status.st_blocks * 512 : 0;
}

static bool add_part(const struct dj_segment_file *file, void *user)
{
    struct part_list *parts = user;
    char sections[DJ_SEGMENT_PATH + sizeof(DJ_SECTIONS_SUFFIX)];
    DJ_XROOM(parts->part, parts->count);
    struct dj_recording_part *part = &parts->part[parts->count++];
    *part = (struct dj_recording_part){.file = *file};
    if (dj_segment_identify(file->path, file->owner, &part->identity, NULL) != 0) {
        part->identity = (struct dj_segment_identity){0};
    }
    snprintf(sections, sizeof(sections), "%s" DJ_SECTIONS_SUFFIX, file->path);
    part->bytes = get_disk_bytes(file->path) + get_disk_bytes(sections);
    return true;
}

/* Compares two parts by the start of their recording, then by the length of their name.
 * So the part NAME comes before the parts NAME:PROGRAM. */
static int compare_parts(const void *left, const void *right)
{
    const struct dj_recording_part *a = left, *b = right;
    size_t a_length = strlen(a->identity.name), b_length = strlen(b->identity.name);
    if (a->identity.run_ns != b->identity.run_ns) {
        return a->identity.run_ns < b->identity.run_ns ? -1 : 1;
    }
    return a_length < b_length ? -1 : a_length > b_length;
}

static struct dj_kept_recording group_parts(const struct dj_recording_part *parts,
                                            size_t most)
{
    const char *slash = strrchr(parts[0].file.path, '/');
    struct dj_kept_recording recording = {
        .parts = parts,
        .name = parts[0].identity.name[0] != '\0' ? parts[0].identity.name : slash + 1,
        .temporary = true,
    };
    do {
        const struct dj_recording_part *part = &parts[recording.count++];
        recording.bytes += part->bytes;
        recording.alive = recording.alive || !part->file.ended;
        recording.named = recording.named || part->file.retention == DJ_RETAIN_NAMED;
        recording.temporary =
            recording.temporary && part->file.retention == DJ_RETAIN_TEMPORARY;
        if (part->file.modified_s * 1000 > recording.last_unix_ms) {
            recording.last_unix_ms = part->file.modified_s * 1000;
        }
        /* A file that cannot be read has no start time. It is treated as a separate
         * recording. */
    } while (recording.count < most && parts[0].identity.run_ns != 0 &&
             parts[0].identity.run_ns == parts[recording.count].identity.run_ns);
    return recording;
}

static bool is_wanted(const struct dj_kept_recording *recording, const char *name,
                      bool temporary_only)
{
    return !recording->alive && (!temporary_only || recording->temporary) &&
           (name == NULL || strcmp(name, recording->name) == 0 ||
            (strncmp(name, recording->name, strlen(name)) == 0 &&
             recording->name[strlen(name)] == ':'));
}

int dj_measure_list_recordings(const char *name, bool temporary_only,
                               struct dj_kept_recordings *list, struct dj_error *err)
{
    struct dj_segment_directory place;
    struct part_list parts = {0};
    int code = dj_segment_ensure_directory(&place, err);
    code = code == 0 ? dj_segment_scan(&place, add_part, &parts, err) : code;
    *list = (struct dj_kept_recordings){.parts = parts.part};
    if (code != 0) {
        return code;
    }
    list->recordings = dj_xcalloc(parts.count, sizeof(*list->recordings));
    if (parts.count > 0) {
        qsort(parts.part, parts.count, sizeof(*parts.part), compare_parts);
    }
    for (size_t i = 0; i < parts.count;) {
        struct dj_kept_recording recording = group_parts(&parts.part[i], parts.count - i);
        if (is_wanted(&recording, name, temporary_only)) {
            list->recordings[list->count++] = recording;
        }
        i += recording.count;
    }
    return 0;
}

int dj_measure_remove_recording(const struct dj_kept_recording *recording,
                                struct dj_error *err)
{
    int code = 0;
    for (size_t i = 0; i < recording->count && code == 0; i++) {
        code = dj_segment_remove(&recording->parts[i].file, err);
    }
    return code;
}

void dj_measure_recordings_finish(struct dj_kept_recordings *list)
{
    free(list->recordings);
    free(list->parts);
    *list = (struct dj_kept_recordings){.recordings = NULL};
}
