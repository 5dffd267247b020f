#include "input/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "gfxinfo/graphicsstats_proto.h"
#include "input/repair.h"
#include "input/sniff.h"
#include "input/tar.h"
#include "input/zip.h"
#include "memory/memory.h"

/* The first layer is the file. Each other layer decodes the layer before it, or is an
 * entry of the archive in that layer. */
struct layer {
    struct dj_stream *stream;
    struct dj_zip *zip; /* The zip archive in the stream, or NULL. */
    struct dj_tar *tar; /* The tar archive in the stream, or NULL. */
    /* Name of this entry in the archive below, or NULL if the layer is no entry. */
    char *entry;
};

struct dj_input_reader {
    char *name;
    struct layer layers[DJ_INPUT_LAYERS];
    size_t layer_count;
    struct dj_text path; /* Name of the current part. */
    bool begun;          /* True after dj_input_next() was called once. */
    bool open;           /* True while the current part has not been read to its end. */
    bool includes_binary, repairs;
    /* True if the current part gets no further repair layer, because it is already being
     * repaired or must not be repaired. */
    bool repaired;
};

static struct dj_input_reader *create_reader(int fd, bool owned, const char *name)
{
    struct dj_input_reader *reader = dj_xcalloc(1, sizeof(*reader));
    *reader = (struct dj_input_reader){
        .name = dj_xstrdup(name),
        .layers = {{.stream = dj_stream_of_file(fd, owned, name)}},
        .layer_count = 1};
    return reader;
}

struct dj_input_reader *dj_input_open_fd(int fd, const char *name)
{
    return create_reader(fd, false, name);
}

int dj_input_open(struct dj_input_reader **reader, const char *path, struct dj_error *err)
{
    if (strcmp(path, "-") == 0) {
        *reader = create_reader(STDIN_FILENO, false, "standard input");
        return 0;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot open %s: %s", path, strerror(errno));
    }
    *reader = create_reader(fd, true, path);
    return 0;
}

const char *dj_input_get_name(const struct dj_input_reader *reader)
{
    return reader->name;
}

void dj_input_include_binary(struct dj_input_reader *reader)
{
    reader->includes_binary = true;
}

void dj_input_repair_text(struct dj_input_reader *reader)
{
    reader->repairs = true;
}

static struct layer *get_top(struct dj_input_reader *reader)
{
    return &reader->layers[reader->layer_count - 1];
}

static bool is_archive(const struct layer *layer)
{
    return layer->zip != NULL || layer->tar != NULL;
}

static void drop_layers(struct dj_input_reader *reader, size_t remaining_count)
{
    while (reader->layer_count > remaining_count) {
        struct layer *top = get_top(reader);
        dj_zip_destroy(top->zip);
        dj_tar_destroy(top->tar);
        dj_stream_destroy(top->stream);
        free(top->entry);
        reader->layer_count--;
    }
}

/* Adds a layer. Takes ownership of `stream` and `entry`, the name of an archive entry or
 * NULL. */
static void push_layer(struct dj_input_reader *reader, struct dj_stream *stream,
                       char *entry)
{
    reader->layers[reader->layer_count++] =
        (struct layer){.stream = stream, .entry = entry};
}

static bool is_entry(const struct dj_input_reader *reader)
{
    size_t i = 0;
    while (i < reader->layer_count && reader->layers[i].entry == NULL) {
        i++;
    }
    return i < reader->layer_count;
}

static void write_path(struct dj_input_reader *reader)
{
    dj_text_clear(&reader->path);
    for (size_t i = 0; i < reader->layer_count; i++) {
        if (reader->layers[i].entry != NULL) {
            dj_text_add(&reader->path, reader->path.length > 0 ? "/" : "");
            dj_text_add(&reader->path, reader->layers[i].entry);
        }
    }
}

/* Prepends the name of an archive or entry to a message. Truncates the beginning of a
 * long name, because the end of a path is more specific. */
static void prepend_escaped(struct dj_error *err, const char *name)
{
    enum { MOST_BYTES = 100 };
    size_t length = strlen(name);
    const char *from = length > MOST_BYTES ? name + length - MOST_BYTES : name;
    struct dj_text text = {0};
    dj_text_add(&text, from != name ? "..." : "");
    dj_text_append_escaped(&text, from, strlen(from));
    dj_error_prepend(err, "%s", dj_xtext(&text));
    dj_text_finish(&text);
}

/* Prepends the names of the file and of the archive entry to the message of an error.
 * Messages of DJ_E_IO already contain the name of the file. */
static int prepend_place(struct dj_input_reader *reader, int code, struct dj_error *err)
{
    if (code != 0 && code != DJ_E_IO) {
        write_path(reader);
        if (reader->path.length > 0) {
            prepend_escaped(err, dj_xtext(&reader->path));
        }
        dj_error_prepend(err, "%s", reader->name);
    }
    return code;
}

/* Returns the kind of data in the top layer, which is already decoded. Returns
 * DJ_PART_NONE for entries of archives that are skipped. */
static enum dj_input_part_kind find_part_kind(struct dj_input_reader *reader)
{
    const struct dj_stream *stream = get_top(reader)->stream;
    if (dj_gfxinfo_is_graphicsstats_dump(stream->at, stream->left)) {
        return DJ_PART_GRAPHICSSTATS_DUMP;
    }
    if (dj_gfxinfo_is_graphicsstats_file(stream->at, stream->left)) {
        return DJ_PART_GRAPHICSSTATS_FILE;
    }
    if (is_entry(reader) && dj_sniff_binary(stream->at, stream->left)) {
        return reader->includes_binary ? DJ_PART_BINARY : DJ_PART_NONE;
    }
    return is_entry(reader) && stream->left == 0 ? DJ_PART_NONE : DJ_PART_TEXT;
}

/* Adds a layer that decodes the top layer, or opens the archive in the top layer. */
static int unwrap(struct dj_input_reader *reader, const struct dj_sniffed *sniffed,
                  struct dj_error *err)
{
    struct layer *top = get_top(reader);
    if (sniffed->wrapping == DJ_WRAPPING_FOREIGN) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "cannot read %s data; unpack it first with %s",
                            sniffed->format, sniffed->unpacker);
    }
    if (reader->layer_count == DJ_INPUT_LAYERS) {
        return dj_error_set(err, DJ_E_LIMIT, "compressed or archived more than %d times",
                            DJ_INPUT_LAYERS - 1);
    }
    if (sniffed->wrapping == DJ_WRAPPING_ZIP) {
        top->zip = dj_zip_create(top->stream);
    } else if (sniffed->wrapping == DJ_WRAPPING_TAR) {
        top->tar = dj_tar_create(top->stream);
    } else {
        push_layer(reader, sniffed->open(top->stream), NULL);
    }
    return 0;
}

/* Discards the buffered bytes of a stream that has failed, and returns its error. Returns
 * 0 if the stream has not failed. */
static int get_failure(struct dj_stream *stream, struct dj_error *err)
{
    if (stream->failure.code == 0) {
        return 0;
    }
    dj_stream_consume(stream, stream->left);
    return dj_stream_peek(stream, 1, err);
}

/* Adds layers until the top layer is decoded or contains an archive. *kind is
 * DJ_PART_NONE for an archive and for data that is skipped. */
static int unwrap_all(struct dj_input_reader *reader, enum dj_input_part_kind *kind,
                      struct dj_error *err)
{
    *kind = DJ_PART_NONE;
    while (!is_archive(get_top(reader))) {
        struct dj_stream *stream = get_top(reader)->stream;
        int code = dj_stream_peek(stream, DJ_STREAM_PEEK, err);
        if (code != 0) {
            return code;
        }
        const struct dj_sniffed *sniffed = dj_sniff(stream->at, stream->left);
        if (sniffed->wrapping == DJ_WRAPPING_NONE) {
            *kind = find_part_kind(reader);
            return *kind == DJ_PART_NONE ? get_failure(stream, err) : 0;
        }
        if (sniffed->wrapping == DJ_WRAPPING_FOREIGN && is_entry(reader)) {
            return get_failure(stream, err);
        }
        code = unwrap(reader, sniffed, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Opens the next entry of the archive in the top layer as a new layer. At the end of the
 * archive, adds no layer. */
static int enter_archive(struct dj_input_reader *reader, struct dj_error *err)
{
    struct dj_stream *entry;
    const char *name;
    const struct layer *top = get_top(reader);
    int code = top->zip != NULL ? dj_zip_next(top->zip, &entry, &name, err)
                                : dj_tar_next(top->tar, &entry, &name, err);
    if (code != 0 && name[0] != '\0') {
        prepend_escaped(err, name);
    }
    if (code == 0 && entry != NULL) {
        push_layer(reader, entry, dj_xstrdup(name));
    }
    return code;
}

/* Opens the next entry of the innermost archive that has one. Removes the layers above
 * this archive, or all layers if no archive has another entry. */
static int open_next_entry(struct dj_input_reader *reader, struct dj_error *err)
{
    while (reader->layer_count > 0) {
        size_t depth = reader->layer_count;
        int code = is_archive(get_top(reader)) ? enter_archive(reader, err) : 0;
        if (code != 0 || reader->layer_count > depth) {
            return code;
        }
        drop_layers(reader, depth - 1);
    }
    return 0;
}

static int next_part(struct dj_input_reader *reader, enum dj_input_part_kind *kind,
                     struct dj_error *err)
{
    *kind = DJ_PART_NONE;
    bool inside = !reader->begun;
    reader->begun = true;
    while (*kind == DJ_PART_NONE) {
        int code = inside ? 0 : open_next_entry(reader, err);
        if (code != 0 || reader->layer_count == 0) {
            return code;
        }
        inside = false;
        code = unwrap_all(reader, kind, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Adds a layer that repairs the top layer. A text with too many layers is not
 * repaired. */
static void add_repair_layer(struct dj_input_reader *reader, unsigned faults)
{
    if (faults != 0 && reader->layer_count < DJ_INPUT_LAYERS) {
        reader->repaired = true;
        push_layer(reader, dj_input_stream_of_repaired(get_top(reader)->stream, faults),
                   NULL);
    }
}

/* Repairs the faults that can be seen in the first bytes of a text. */
static void repair_beginning(struct dj_input_reader *reader, enum dj_input_part_kind kind)
{
    const struct dj_stream *stream = get_top(reader)->stream;
    reader->repaired = !reader->repairs || kind != DJ_PART_TEXT;
    if (!reader->repaired) {
        add_repair_layer(reader, dj_repair_find_faults(stream->at, stream->left));
    }
}

/* Finds colour codes after the beginning of a text. The first code may occur late,
 * because search tools only colour the matches. Sets *length to the number of buffered
 * bytes before the first code. If a code comes first, adds a layer that removes colour
 * codes. */
static int repair_colors(struct dj_input_reader *reader, size_t *length,
                         struct dj_error *err)
{
    struct dj_stream *stream = get_top(reader)->stream;
    const char *escape =
        reader->repaired ? NULL : memchr(stream->at, '\x1b', stream->left);
    *length = escape != NULL ? (size_t)(escape - stream->at) : stream->left;
    if (escape == NULL || *length > 0) {
        return 0;
    }
    add_repair_layer(reader, DJ_FAULT_COLORS);
    int code = dj_stream_peek(get_top(reader)->stream, 1, err);
    *length = get_top(reader)->stream->left;
    return code;
}

int dj_input_next(struct dj_input_reader *reader, struct dj_input_part *part,
                  struct dj_error *err)
{
    *part = (struct dj_input_part){.kind = DJ_PART_NONE};
    int code = next_part(reader, &part->kind, err);
    if (code == 0 && part->kind != DJ_PART_NONE) {
        repair_beginning(reader, part->kind);
    }
    reader->open = part->kind != DJ_PART_NONE;
    write_path(reader);
    part->name = is_entry(reader) ? dj_xtext(&reader->path) : NULL;
    return prepend_place(reader, code, err);
}

int dj_input_read(struct dj_input_reader *reader, const char **bytes, size_t *length,
                  struct dj_error *err)
{
    *bytes = "";
    *length = 0;
    if (!reader->open) {
        return 0;
    }
    int code = dj_stream_peek(get_top(reader)->stream, 1, err);
    code = code == 0 ? repair_colors(reader, length, err) : code;
    if (code == 0) {
        *bytes = get_top(reader)->stream->at;
        dj_stream_consume(get_top(reader)->stream, *length);
    }
    reader->open = *length > 0;
    return prepend_place(reader, code, err);
}

void dj_input_close(struct dj_input_reader *reader)
{
    if (reader != NULL) {
        drop_layers(reader, 0);
        dj_text_finish(&reader->path);
        free(reader->name);
        free(reader);
    }
}
