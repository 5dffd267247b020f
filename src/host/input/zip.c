/*
 * An entry is a local header, a name, extra fields, data, and a data descriptor if bit 3
 * of the flags is set. A data descriptor is [PK\7\8] CRC-32, packed size and plain size.
 * The sizes have 8 bytes each in zip64, or else 4.
 *
 *     50 4b 03 04  14 00  08 00  08 00  time date  00 00 00 00 (CRC) …
 *
 * Source: APPNOTE.TXT 4.3.7–4.3.9.
 */
#include "input/zip.h"

#include <stdlib.h>
#include <string.h>

#include "input/zip_entry.h"
#include "memory/memory.h"

enum {
    HEADER_BYTES = 30,
    /* Size of the record at the end of the directory, without its comment. */
    END_BYTES = 22,
    EXTRA_ZIP64 = 1,
    NAME_MOST = 1024
};

static const char LOCAL[4] = "PK\3\4";
static const char END[4] = "PK\5\6";

/* The first bytes of records that follow the last entry. */
static const char *const directory_marks[] = {"PK\1\2", "PK\5\6", "PK\6\6", "PK\6\10"};

struct dj_zip {
    struct dj_stream *below;
    bool finished;  /* True if there is no further entry. */
    bool directory; /* True if the directory begins here and has not been skipped yet. */
    /* True if the start of the next entry is unknown and must be searched for. */
    bool lost;
    struct dj_zip_entry entry;
    char name[NAME_MOST];
    char scratch[1 << 16];
};

struct dj_zip *dj_zip_create(struct dj_stream *below)
{
    struct dj_zip *zip = dj_xcalloc(1, sizeof(*zip));
    zip->below = below;
    zip->entry.below = below;
    /* Skips the mark that some programs write at the beginning of archives that could
     * have been split into several files but were not. */
    if (below->left >= sizeof(dj_zip_descriptor) &&
        memcmp(below->at, dj_zip_descriptor, sizeof(dj_zip_descriptor)) == 0) {
        dj_stream_consume(below, sizeof(dj_zip_descriptor));
    }
    return zip;
}

void dj_zip_destroy(struct dj_zip *zip)
{
    if (zip != NULL) {
        dj_zip_entry_close(&zip->entry);
        free(zip);
    }
}

static int entry_produce(struct dj_stream *stream, char *into, size_t room, size_t *got,
                         struct dj_error *err)
{
    return dj_zip_entry_unpack(stream->state, into, room, got, err);
}

static const struct dj_stream_kind entry_kind = {entry_produce, NULL};

/* Reads the zip64 field, which has the sizes that do not fit into 32 bits. */
static void read_extra(struct dj_zip_entry *entry, const char *extra, size_t length)
{
    for (size_t at = 0; length - at >= 4;) {
        size_t id = (size_t)dj_zip_get_number(extra + at, 2);
        size_t bytes = (size_t)dj_zip_get_number(extra + at + 2, 2);
        at += 4;
        if (bytes > length - at) {
            return;
        }
        if (id == EXTRA_ZIP64) {
            size_t field = at;
            uint64_t *sizes[] = {&entry->size, &entry->packed_size};
            for (size_t i = 0; i < 2; i++) {
                if (*sizes[i] == DJ_ZIP_SIZE_ELSEWHERE && at + bytes - field >= 8) {
                    *sizes[i] = dj_zip_get_number(extra + field, 8);
                    field += 8;
                }
            }
            return;
        }
        at += bytes;
    }
}

static int read_header(struct dj_zip *zip, struct dj_error *err)
{
    char header[HEADER_BYTES];
    struct dj_stream *below = zip->below;
    int code = dj_stream_read(below, header, sizeof(header), err);
    if (code != 0) {
        return code;
    }
    zip->entry.flags = (unsigned)dj_zip_get_number(header + 6, 2);
    zip->entry.method = (unsigned)dj_zip_get_number(header + 8, 2);
    zip->entry.crc = (uint32_t)dj_zip_get_number(header + 14, 4);
    zip->entry.packed_size = dj_zip_get_number(header + 18, 4);
    zip->entry.size = dj_zip_get_number(header + 22, 4);
    size_t name_bytes = (size_t)dj_zip_get_number(header + 26, 2);
    size_t extra_bytes = (size_t)dj_zip_get_number(header + 28, 2);
    code = dj_stream_read(below, zip->scratch, name_bytes, err);
    if (code != 0) {
        return code;
    }
    size_t copied = name_bytes < NAME_MOST ? name_bytes : NAME_MOST - 1;
    memcpy(zip->name, zip->scratch, copied);
    zip->name[copied] = '\0';
    code = dj_stream_read(below, zip->scratch, extra_bytes, err);
    if (code != 0) {
        return code;
    }
    read_extra(&zip->entry, zip->scratch, extra_bytes);
    return 0;
}

/* Skips the rest of the packed bytes, and a data descriptor after them. */
static int skip_entry(struct dj_zip *zip, struct dj_error *err)
{
    struct dj_stream *below = zip->below;
    const struct dj_zip_entry *entry = &zip->entry;
    uint64_t done = (uint64_t)(below->offset - entry->packed_at);
    int code = dj_stream_skip(below, entry->packed_size - done, err);
    if (code == 0 && (entry->flags & DJ_ZIP_DESCRIBED) != 0 &&
        dj_stream_peek(below, DJ_ZIP_DESCRIPTOR_PEEK, NULL) == 0) {
        dj_stream_consume(below,
                          dj_zip_find_descriptor(entry, entry->packed_size, false));
    }
    return code;
}

/* Skips the rest of the entry. Returns no error for a damaged entry, because that error
 * has been returned before. */
static int leave_entry(struct dj_zip *zip, struct dj_error *err)
{
    struct dj_zip_entry *entry = &zip->entry;
    bool was_reported = entry->failed;
    int code = 0;
    if (entry->slice != NULL) {
        code = skip_entry(zip, err);
        zip->finished = code != 0;
    } else {
        while (code == 0 && entry->inner != NULL && !entry->ended && !entry->failed) {
            size_t got = 0;
            code =
                dj_zip_entry_unpack(entry, zip->scratch, sizeof(zip->scratch), &got, err);
        }
        zip->lost = zip->lost || entry->failed;
    }
    dj_zip_entry_close(entry);
    return was_reported ? 0 : code;
}

/* Moves to the next place that looks like the start of an entry. */
static void search_entry(struct dj_zip *zip)
{
    enum { NEWEST_VERSION = 63, METHOD_MOST = 99 };
    struct dj_stream *below = zip->below;
    zip->lost = false;
    while (dj_stream_peek(below, HEADER_BYTES, NULL) == 0 &&
           below->left >= HEADER_BYTES) {
        const char *mark = memmem(below->at, below->left, LOCAL, sizeof(LOCAL));
        if (mark == below->at) {
            if (dj_zip_get_number(below->at + 4, 2) <= NEWEST_VERSION &&
                dj_zip_get_number(below->at + 8, 2) <= METHOD_MOST) {
                return;
            }
            dj_stream_consume(below, sizeof(LOCAL));
        } else {
            dj_stream_consume(below, mark != NULL ? (size_t)(mark - below->at)
                                                  : below->left - (sizeof(LOCAL) - 1));
        }
    }
    zip->finished = true;
}

/* Moves to the start of the next entry, or sets `finished` if there is none. */
static int find_entry(struct dj_zip *zip, struct dj_error *err)
{
    struct dj_stream *below = zip->below;
    if (zip->lost) {
        search_entry(zip);
    }
    int code = zip->finished ? 0 : dj_stream_need(below, sizeof(LOCAL), err);
    if (code != 0 || zip->finished) {
        zip->finished = true;
        return code;
    }
    for (size_t i = 0; i < COUNT_OF(directory_marks); i++) {
        if (memcmp(below->at, directory_marks[i], sizeof(LOCAL)) == 0) {
            zip->finished = true;
            zip->directory = true;
            return 0;
        }
    }
    if (memcmp(below->at, LOCAL, sizeof(LOCAL)) != 0) {
        zip->lost = true;
        return dj_error_set_at(err, DJ_E_INVALID, below->offset,
                               "damaged at byte %lld: expected the next entry or the "
                               "directory of the archive",
                               below->offset);
    }
    return 0;
}

/* Reads to the end of the input, so that a process that writes to a pipe does not fail.
 * Returns DJ_E_TRUNCATED if the end of the directory is missing. */
static int leave_directory(struct dj_stream *below, struct dj_error *err)
{
    bool ended = false;
    while (dj_stream_peek(below, END_BYTES, NULL) == 0 && below->left > 0) {
        const char *mark = memmem(below->at, below->left, END, sizeof(END));
        size_t count = mark != NULL ? (size_t)(mark - below->at) : below->left;
        if (mark == below->at) {
            ended = ended || below->left >= END_BYTES;
            count = below->left;
        } else if (mark == NULL && below->left >= END_BYTES) {
            /* The last bytes may be the beginning of a mark. */
            count = below->left - (sizeof(END) - 1);
        }
        dj_stream_consume(below, count);
    }
    return ended ? 0 : dj_stream_set_truncated(below, err);
}

int dj_zip_next(struct dj_zip *zip, struct dj_stream **entry, const char **name,
                struct dj_error *err)
{
    *entry = NULL;
    zip->name[0] = '\0';
    *name = zip->name;
    int code = leave_entry(zip, err);
    if (code == 0) {
        code = find_entry(zip, err);
    }
    if (code != 0) {
        return code;
    }
    if (zip->finished) {
        bool directory = zip->directory;
        zip->directory = false;
        return directory ? leave_directory(zip->below, err) : 0;
    }
    code = read_header(zip, err);
    if (code != 0) {
        zip->finished = true;
        return code;
    }
    code = dj_zip_entry_open(&zip->entry, err);
    if (code == 0) {
        *entry = dj_stream_create(&entry_kind, &zip->entry, zip->entry.inner);
    }
    return code;
}
