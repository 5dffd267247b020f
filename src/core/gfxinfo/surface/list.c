/* Reads --list: one name per line. Since Android 15:
 *
 *   RequestedLayerState{com.x/com.x.Main#227480 parentId=227479 z=1}
 *
 * Earlier releases print only the name. Any text may contain a line that ends with
 * "#12", so a list counts only if one of its names is certainly a name of a layer. */
#include <string.h>

#include "gfxinfo/read/reader.h"

static bool is_certain(struct dj_str line)
{
    return dj_str_begins(line, "RequestedLayerState{") ||
           memmem(line.at, line.length, "SurfaceView - ", 14) != NULL ||
           memmem(line.at, line.length, "SurfaceView[", 12) != NULL ||
           dj_gfxinfo_surface_has_activity(line);
}

bool dj_surface_read_list(struct dj_reader *reader, struct dj_str line)
{
    struct dj_str name = dj_gfxinfo_surface_find_list_name(line);
    if (name.length == 0) {
        bool wrapped = dj_str_begins(line, "RequestedLayerState{");
        if (wrapped) {
            dj_reader_warn(reader, "expected the number of the layer, such as \"#12\"");
        }
        return wrapped;
    }
    reader->surface.is_list_certain = reader->surface.is_list_certain || is_certain(line);
    dj_surface_begin_layer(reader, DJ_SURFACE_LIST, name);
    return true;
}

bool dj_surface_begin_list(struct dj_reader *reader, struct dj_str line)
{
    char last = line.at[line.length - 1];
    if (last != '}' && (last < '0' || last > '9')) {
        return false;
    }
    if (dj_gfxinfo_surface_find_list_name(line).length == 0) {
        return false;
    }
    bool asked = reader->surface.command == DJ_SURFACE_LIST_COMMAND;
    reader->surface.command = DJ_SURFACE_NO_COMMAND;
    dj_surface_begin(reader, DJ_SURFACE_IN_LIST);
    reader->surface.is_list_certain = asked;
    return dj_surface_read_list(reader, line);
}

void dj_surface_close_list(struct dj_reader *reader)
{
    if (!reader->surface.is_list_certain) {
        dj_gfxinfo_surface_truncate(&reader->dump->surfaces, reader->surface.block);
    }
    reader->surface.is_list_certain = false;
}
