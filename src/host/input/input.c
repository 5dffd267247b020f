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

/* The first layer is the file. Each other layer decodes the one before, or is an entry of
 * its archive. */
struct layer {
    struct dj_stream *stream;
    struct dj_zip *zip; /* the zip archive in the stream; NULL: none */
    struct dj_tar *tar; /* the tar archive in the stream; NULL: none */
    char *entry;        /* name of the entry of the archive below; NULL: no entry */
};

struct dj_intake {
    char *name;
    struct layer layers[DJ_INTAKE_LAYERS];
    size_t layer_count;
    struct dj_text path; /* the part's name */
    bool begun;          /* there was a first part */
    bool open;           /* a part is being read */
    bool takes_binary, repairs;
    bool repaired; /* the current part is repaired */
};

static struct dj_intake *create(int fd, bool owned, const char *name)
{
    struct dj_intake *intake = dj_xcalloc(1, sizeof(*intake));
    *intake =
        (struct dj_intake){.name = dj_xstrdup(name),
                           .layers = {{.stream = dj_stream_of_file(fd, owned, name)}},
                           .layer_count = 1};
    return intake;
}

struct dj_intake *dj_intake_open_fd(int fd, const char *name)
{
    return create(fd, false, name);
}

int dj_intake_open(struct dj_intake **intake, const char *path, struct dj_error *err)
{
    if (strcmp(path, "-") == 0) {
        *intake = create(STDIN_FILENO, false, "standard input");
        return 0;
    }
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        return dj_error_set(err, DJ_E_IO, "cannot open %s: %s", path, strerror(errno));
    }
    *intake = create(fd, true, path);
    return 0;
}

const char *dj_intake_name(const struct dj_intake *intake)
{
    return intake->name;
}

void dj_intake_take_binary(struct dj_intake *intake)
{
    intake->takes_binary = true;
}

void dj_intake_repair_text(struct dj_intake *intake)
{
    intake->repairs = true;
}

static struct layer *top_of(struct dj_intake *intake)
{
    return &intake->layers[intake->layer_count - 1];
}

static bool is_archive(const struct layer *layer)
{
    return layer->zip != NULL || layer->tar != NULL;
}

static void drop_layers(struct dj_intake *intake, size_t kept)
{
    while (intake->layer_count > kept) {
        struct layer *top = top_of(intake);
        dj_zip_destroy(top->zip);
        dj_tar_destroy(top->tar);
        dj_stream_destroy(top->stream);
        free(top->entry);
        intake->layer_count--;
    }
}

/* Takes ownership of both. The name is NULL if the layer is no entry. */
static void push_layer(struct dj_intake *intake, struct dj_stream *stream, char *entry)
{
    intake->layers[intake->layer_count++] =
        (struct layer){.stream = stream, .entry = entry};
}

static bool is_entry(const struct dj_intake *intake)
{
    size_t i = 0;
    while (i < intake->layer_count && intake->layers[i].entry == NULL) {
        i++;
    }
    return i < intake->layer_count;
}

static void write_path(struct dj_intake *intake)
{
    dj_text_clear(&intake->path);
    for (size_t i = 0; i < intake->layer_count; i++) {
        if (intake->layers[i].entry != NULL) {
            dj_text_string(&intake->path, intake->path.length > 0 ? "/" : "");
            dj_text_string(&intake->path, intake->layers[i].entry);
        }
    }
}

/* Prepends an archive's name to a message. Of a long name the end is kept, because it
 * says more. */
static void prepend_escaped(struct dj_error *err, const char *name)
{
    enum { MOST_BYTES = 100 };
    size_t length = strlen(name);
    const char *from = length > MOST_BYTES ? name + length - MOST_BYTES : name;
    struct dj_text text = {0};
    dj_text_string(&text, from != name ? "..." : "");
    dj_text_escaped(&text, from, strlen(from));
    dj_error_prepend(err, "%s", dj_xtext(&text));
    dj_text_finish(&text);
}

/* Adds the place to an error. Errors of the system name the file already. */
static int place(struct dj_intake *intake, int code, struct dj_error *err)
{
    if (code != 0 && code != DJ_E_IO) {
        write_path(intake);
        if (intake->path.length > 0) {
            prepend_escaped(err, dj_xtext(&intake->path));
        }
        dj_error_prepend(err, "%s", intake->name);
    }
    return code;
}

/* Returns what the bytes of the top layer are after all wrappings are removed. Some
 * entries of archives are not read. */
static enum dj_part_kind kind_of(struct dj_intake *intake)
{
    const struct dj_stream *stream = top_of(intake)->stream;
    if (dj_is_graphicsstats_dump(stream->at, stream->left)) {
        return DJ_PART_GRAPHICSSTATS_DUMP;
    }
    if (dj_is_graphicsstats_file(stream->at, stream->left)) {
        return DJ_PART_GRAPHICSSTATS_FILE;
    }
    if (is_entry(intake) && dj_sniff_binary(stream->at, stream->left)) {
        return intake->takes_binary ? DJ_PART_BINARY : DJ_PART_NONE;
    }
    return is_entry(intake) && stream->left == 0 ? DJ_PART_NONE : DJ_PART_TEXT;
}

/* Removes one wrapping of the top layer. An archive is only opened. */
static int unwrap(struct dj_intake *intake, const struct dj_sniffed *sniffed,
                  struct dj_error *err)
{
    struct layer *top = top_of(intake);
    if (sniffed->wrapping == DJ_WRAPPING_FOREIGN) {
        return dj_error_set(err, DJ_E_UNSUPPORTED,
                            "%s data is not read; unpack it first, with %s",
                            sniffed->format, sniffed->unpacker);
    }
    if (intake->layer_count == DJ_INTAKE_LAYERS) {
        return dj_error_set(err, DJ_E_LIMIT, "wrapped more than %d times",
                            DJ_INTAKE_LAYERS - 1);
    }
    if (sniffed->wrapping == DJ_WRAPPING_ZIP) {
        top->zip = dj_zip_create(top->stream);
    } else if (sniffed->wrapping == DJ_WRAPPING_TAR) {
        top->tar = dj_tar_create(top->stream);
    } else {
        push_layer(intake, sniffed->open(top->stream), NULL);
    }
    return 0;
}

/* The error of an entry that will not be read. */
static int failure_of(struct dj_stream *stream, struct dj_error *err)
{
    if (stream->failure.code == 0) {
        return 0;
    }
    dj_stream_take(stream, stream->left);
    return dj_stream_want(stream, 1, err);
}

/* Removes all wrappings of the top layer. *kind is DJ_PART_NONE for an archive, and for
 * data that is not read. */
static int unwrap_all(struct dj_intake *intake, enum dj_part_kind *kind,
                      struct dj_error *err)
{
    *kind = DJ_PART_NONE;
    while (!is_archive(top_of(intake))) {
        struct dj_stream *stream = top_of(intake)->stream;
        int code = dj_stream_want(stream, DJ_STREAM_PEEK, err);
        if (code != 0) {
            return code;
        }
        const struct dj_sniffed *sniffed = dj_sniff(stream->at, stream->left);
        if (sniffed->wrapping == DJ_WRAPPING_NONE) {
            *kind = kind_of(intake);
            return *kind == DJ_PART_NONE ? failure_of(stream, err) : 0;
        }
        if (sniffed->wrapping == DJ_WRAPPING_FOREIGN && is_entry(intake)) {
            return failure_of(stream, err);
        }
        code = unwrap(intake, sniffed, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Continues in the archive of the top layer. layer_count does not grow at its end. */
static int enter(struct dj_intake *intake, struct dj_error *err)
{
    struct dj_stream *entry;
    const char *name;
    const struct layer *top = top_of(intake);
    int code = top->zip != NULL ? dj_zip_next(top->zip, &entry, &name, err)
                                : dj_tar_next(top->tar, &entry, &name, err);
    if (code != 0 && name[0] != '\0') {
        prepend_escaped(err, name);
    }
    if (code == 0 && entry != NULL) {
        push_layer(intake, entry, dj_xstrdup(name));
    }
    return code;
}

/* Opens the next entry of the innermost archive that has one. If none has, no layer is
 * left. */
static int enter_next(struct dj_intake *intake, struct dj_error *err)
{
    while (intake->layer_count > 0) {
        size_t depth = intake->layer_count;
        int code = is_archive(top_of(intake)) ? enter(intake, err) : 0;
        if (code != 0 || intake->layer_count > depth) {
            return code;
        }
        drop_layers(intake, depth - 1);
    }
    return 0;
}

static int next_part(struct dj_intake *intake, enum dj_part_kind *kind,
                     struct dj_error *err)
{
    *kind = DJ_PART_NONE;
    bool inside = !intake->begun;
    intake->begun = true;
    while (*kind == DJ_PART_NONE) {
        int code = inside ? 0 : enter_next(intake, err);
        if (code != 0 || intake->layer_count == 0) {
            return code;
        }
        inside = false;
        code = unwrap_all(intake, kind, err);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

/* Adds a repair to the top layer. A text with too many layers stays as it is. */
static void repair(struct dj_intake *intake, unsigned faults)
{
    if (faults != 0 && intake->layer_count < DJ_INTAKE_LAYERS) {
        intake->repaired = true;
        push_layer(intake, dj_stream_of_repaired(top_of(intake)->stream, faults), NULL);
    }
}

/* Repairs the faults that the beginning of a text shows. */
static void repair_beginning(struct dj_intake *intake, enum dj_part_kind kind)
{
    const struct dj_stream *stream = top_of(intake)->stream;
    intake->repaired = !intake->repairs || kind != DJ_PART_TEXT;
    if (!intake->repaired) {
        repair(intake, dj_text_faults(stream->at, stream->left));
    }
}

/* Colour codes may be anywhere, because only matches of a search have them. Cuts `length`
 * before the first one, or removes them from there on. */
static int repair_colors(struct dj_intake *intake, size_t *length, struct dj_error *err)
{
    struct dj_stream *stream = top_of(intake)->stream;
    const char *escape =
        intake->repaired ? NULL : memchr(stream->at, '\x1b', stream->left);
    *length = escape != NULL ? (size_t)(escape - stream->at) : stream->left;
    if (escape == NULL || *length > 0) {
        return 0;
    }
    repair(intake, DJ_FAULT_COLORS);
    int code = dj_stream_want(top_of(intake)->stream, 1, err);
    *length = top_of(intake)->stream->left;
    return code;
}

int dj_intake_next(struct dj_intake *intake, struct dj_intake_part *part,
                   struct dj_error *err)
{
    *part = (struct dj_intake_part){.kind = DJ_PART_NONE};
    int code = next_part(intake, &part->kind, err);
    if (code == 0 && part->kind != DJ_PART_NONE) {
        repair_beginning(intake, part->kind);
    }
    intake->open = part->kind != DJ_PART_NONE;
    write_path(intake);
    part->name = is_entry(intake) ? dj_xtext(&intake->path) : NULL;
    return place(intake, code, err);
}

int dj_intake_read(struct dj_intake *intake, const char **bytes, size_t *length,
                   struct dj_error *err)
{
    *bytes = "";
    *length = 0;
    if (!intake->open) {
        return 0;
    }
    int code = dj_stream_want(top_of(intake)->stream, 1, err);
    code = code == 0 ? repair_colors(intake, length, err) : code;
    if (code == 0) {
        *bytes = top_of(intake)->stream->at;
        dj_stream_take(top_of(intake)->stream, *length);
    }
    intake->open = *length > 0;
    return place(intake, code, err);
}

void dj_intake_close(struct dj_intake *intake)
{
    if (intake != NULL) {
        drop_layers(intake, 0);
        dj_text_finish(&intake->path);
        free(intake->name);
        free(intake);
    }
}
