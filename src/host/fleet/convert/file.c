#include "fleet/convert.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/dump_input.h"
#include "input/input.h"
#include "memory/memory.h"
#include "output/file.h"
#include "segment/layout.h"
#include "segment/snapshot.h"
#include "store/sha256.h"

enum {
    BLOCK_BYTES = 1 << 18,
    /* Rows are read while this many bytes follow, so that the next row is complete. */
    ROW_MOST = 1 << 14,
    HEAD_BYTES = 256
};

/* A file while its sessions are read. */
struct reading {
    const char *path;
    struct dj_session_origin origin;
    const struct dj_messages *messages;
    dj_session_receiver *receive;
    void *user;
    int64_t *refused;
    struct dj_error *err;
    struct dj_session_lines lines;
    size_t row;
    struct dj_text buffer; /* Buffer for the bytes of rows. */
    struct dj_text head;   /* The first bytes of the file. */
    struct dj_sha256 hash;
};

static void refuse(void *user, size_t line, const char *reason)
{
    struct reading *reading = user;
    (*reading->refused)++;
    dj_message(reading->messages, "%s:%zu: %s", reading->path, line, reason);
}

static int read_session(void *user, const struct dj_session *session)
{
    struct reading *reading = user;
    return reading->receive(reading->user, session);
}

static int read_lines(struct reading *reading, struct dj_str bytes)
{
    return dj_fleet_lines_read(&reading->lines, bytes);
}

static int read_rows(struct reading *reading, struct dj_str bytes, bool is_end)
{
    struct dj_session session;
    dj_text_append(&reading->buffer, bytes.at, bytes.length);
    struct dj_str rest = dj_text_str(&reading->buffer);
    int code = 0;
    while (code == 0 && rest.length > 0 && (is_end || rest.length >= ROW_MOST)) {
        code = dj_session_read_row(&rest, &session, reading->err);
        reading->row++;
        code = code == 0 ? reading->receive(reading->user, &session)
                         : dj_error_set(reading->err, DJ_E_INVALID,
                                        "%s: row %zu is damaged, so the rest of the file "
                                        "cannot be read",
                                        reading->path, reading->row);
    }
    size_t done = reading->buffer.length - rest.length;
    if (done > 0) {
        memmove(reading->buffer.data, rest.at, rest.length);
        reading->buffer.length = rest.length;
    }
    return code;
}

static int read_segment(struct reading *reading)
{
    struct dj_snapshot snapshot = {0};
    struct dj_snapshot_options options = {.rows = 1};
    struct dj_dump dump = {0};
    int code = dj_segment_snapshot_read(reading->path, getuid(), &options, &snapshot,
                                        reading->err);
    if (code == 0) {
        code = dj_segment_snapshot_to_dump(&snapshot, &dump);
    }
    if (code == 0) {
        code = dj_fleet_convert_dump(&dump, &reading->origin, reading->receive,
                                     reading->user);
    }
    dj_gfxinfo_dump_finish(&dump);
    dj_segment_snapshot_finish(&snapshot);
    return code;
}

static int receive_dump(void *data, struct dj_parsed *parsed)
{
    struct reading *reading = data;
    if (parsed->dump.graphicsstats_count > 0 && reading->origin.device_id == NULL) {
        return dj_error_set(reading->err, DJ_E_USAGE,
                            "%s: graphicsstats needs --device-id ID, because its "
                            "entries grow and are replaced later",
                            reading->path);
    }
    return dj_fleet_convert_dump(&parsed->dump, &reading->origin, reading->receive,
                                 reading->user);
}

static int read_dumps(struct reading *reading)
{
    struct dj_dump_input input;
    int code = dj_import_input_read(reading->path, NULL, reading->messages, receive_dump,
                                    reading, &input);
    if (code == 0 && !dj_import_input_describe(&input, reading->messages)) {
        (*reading->refused)++;
    }
    dj_import_input_finish(&input);
    return code;
}

/* Reads all bytes of the part with `read`. */
static int read_part(struct reading *reading, struct dj_input_reader *input,
                     int (*read)(struct reading *reading, struct dj_str bytes))
{
    const char *bytes;
    size_t length = 0;
    int code;
    do {
        code = dj_input_read(input, &bytes, &length, reading->err);
        if (code == 0 && length > 0) {
            code = read(reading, (struct dj_str){bytes, length});
        }
    } while (code == 0 && length > 0);
    return code;
}

static int read_more_rows(struct reading *reading, struct dj_str bytes)
{
    return read_rows(reading, bytes, false);
}

/* Opens the file and its first part, and reads it with `read`. */
static int read_whole(struct reading *reading,
                      int (*read)(struct reading *reading, struct dj_str bytes))
{
    struct dj_input_reader *input = NULL;
    struct dj_input_part part = {0};
    int code = dj_input_open(&input, reading->path, reading->err);
    if (code == 0) {
        code = dj_input_next(input, &part, reading->err);
    }
    if (code == 0 && part.kind != DJ_PART_NONE) {
        code = read_part(reading, input, read);
    }
    dj_input_close(input);
    return code;
}

static int read_json_file(struct reading *reading)
{
    reading->lines = (struct dj_session_lines){
        .receive = read_session, .refuse = refuse, .user = reading};
    int code = read_whole(reading, read_lines);
    code = code == 0 ? dj_fleet_lines_end(&reading->lines) : code;
    dj_fleet_lines_finish(&reading->lines);
    return code;
}

/* Reads the bytes of the file as they are, without decompression. */
static int read_raw(struct reading *reading,
                    int (*read)(struct reading *reading, struct dj_str bytes))
{
    FILE *file = fopen(reading->path, "rbe");
    if (file == NULL) {
        return dj_error_set(reading->err, DJ_E_IO, "%s: %m", reading->path);
    }
    char *block = dj_xcalloc(1, BLOCK_BYTES);
    size_t got = 0;
    int code = 0;
    while (code == 0 && (got = fread(block, 1, BLOCK_BYTES, file)) > 0) {
        code = read(reading, (struct dj_str){block, got});
    }
    if (code == 0 && ferror(file)) {
        code = dj_error_set(reading->err, DJ_E_IO, "%s: %m", reading->path);
    }
    free(block);
    fclose(file);
    return code;
}

static int read_row_file(struct reading *reading)
{
    int code = read_raw(reading, read_more_rows);
    return code == 0 ? read_rows(reading, (struct dj_str){"", 0}, true) : code;
}

static int hash_bytes(struct reading *reading, struct dj_str bytes)
{
    dj_store_sha256_add(&reading->hash, bytes.at, bytes.length);
    return 0;
}

/* Hashes the file and finds out when it was written, for sessions without a start. */
static int identify(struct reading *reading, char hex[DJ_SHA256_HEX_BYTES])
{
    struct stat status;
    dj_store_sha256_init(&reading->hash);
    int code = read_raw(reading, hash_bytes);
    dj_store_sha256_end(&reading->hash, hex);
    reading->origin.content_hash = hex;
    if (code == 0 && reading->origin.written_unix_s == 0 &&
        stat(reading->path, &status) == 0) {
        reading->origin.written_unix_s = status.st_mtime;
    }
    return code;
}

/* Keeps the first bytes of the file. */
static int keep_head(struct reading *reading, struct dj_str bytes)
{
    dj_text_append(&reading->head, bytes.at,
                   bytes.length < HEAD_BYTES ? bytes.length : HEAD_BYTES);
    return DJ_E_LIMIT;
}

/* Returns the function that reads the file, which its name and first bytes decide. */
static int (*find_reader(struct reading *reading))(struct reading *)
{
    if (strcmp(reading->path, "-") == 0) {
        return read_json_file;
    }
    if (dj_output_has_suffix(reading->path, ".rowbinary")) {
        return read_row_file;
    }
    /* A damaged file is reported by the reader that reads it. */
    struct dj_error *err = reading->err;
    reading->err = NULL;
    read_raw(reading, keep_head);
    struct dj_str head = dj_text_str(&reading->head);
    bool is_segment = dj_str_begins(head, DJ_SEGMENT_MAGIC);
    dj_text_clear(&reading->head);
    read_whole(reading, keep_head);
    head = dj_str_trim(dj_text_str(&reading->head));
    reading->err = err;
    return is_segment                 ? read_segment
           : dj_str_begins(head, "{") ? read_json_file
                                      : read_dumps;
}

int dj_fleet_read_file(const char *path, const struct dj_session_origin *origin,
                       const struct dj_messages *messages, dj_session_receiver *receive,
                       void *user, int64_t *refused, struct dj_error *err)
{
    char hex[DJ_SHA256_HEX_BYTES];
    struct reading reading = {.path = path,
                              .origin = *origin,
                              .messages = messages,
                              .receive = receive,
                              .user = user,
                              .refused = refused,
                              .err = err};
    int (*read)(struct reading *) = find_reader(&reading);
    int code = read == read_dumps || read == read_segment ? identify(&reading, hex) : 0;
    code = code == 0 ? read(&reading) : code;
    dj_text_finish(&reading.buffer);
    dj_text_finish(&reading.head);
    return code;
}
