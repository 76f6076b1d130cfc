// SPDX-License-Identifier: Apache-2.0
// PNG images through libpng's simplified interface: 8 bits a channel, as they
// are stored (no colour management).
#include "cli/array.h"

#include "base/file.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

// Channels as stored; palettes become colour.
static png_uint_32 memory_format(png_uint_32 stored, int *channels) {
  bool has_colour = stored & (PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP);
  bool has_alpha = stored & PNG_FORMAT_FLAG_ALPHA;
  *channels = (has_colour ? 3 : 1) + has_alpha;
  if (has_colour)
    return has_alpha ? PNG_FORMAT_RGBA : PNG_FORMAT_RGB;
  return has_alpha ? PNG_FORMAT_GA : PNG_FORMAT_GRAY;
}

static const char *read_pixels(Arena *arena, png_image *image, HostArray *out) {
  if (image->format & PNG_FORMAT_FLAG_LINEAR)
    return "it has 16 bits a channel; convert it to 8";
  int channels;
  image->format = memory_format(image->format, &channels);
  out->type = HD_U8;
  out->element_bytes = 1;
  out->rank = channels == 1 ? 2 : 3;
  out->extents[0] = image->height;
  out->extents[1] = image->width;
  out->extents[2] = channels;
  const char *why = array_alloc(out);
  if (why)
    return why;
  if (png_image_finish_read(image, NULL, out->data, 0, NULL))
    return NULL;
  array_fini(out);
  return arena_strdup(arena, image->message);
}

const char *png_read_file(Arena *arena, const char *path, HostArray *out) {
  FileText file;
  const char *why = NULL;
  Arena *scratch = arena_new();
  png_image image = {.version = PNG_IMAGE_VERSION};
  *out = (HostArray){0};
  if (file_read(scratch, path, (size_t)1 << 32, &file, &why) == HD_OK) {
    if (png_image_begin_read_from_memory(&image, file.data, file.size_bytes))
      why = read_pixels(arena, &image, out);
    else
      why = image.message;
  }
  if (why)
    why = arena_strdup(arena, why);
  png_image_free(&image);
  arena_free(scratch);
  return why;
}

// Grey, grey and alpha, colour, or colour and alpha by the last extent.
static bool write_format(const HostArray *array, png_uint_32 *format) {
  static const png_uint_32 formats[] = {PNG_FORMAT_GRAY, PNG_FORMAT_GA,
                                        PNG_FORMAT_RGB, PNG_FORMAT_RGBA};
  int64_t channels = array->rank == 3 ? array->extents[2] : 1;
  if (array->type != HD_U8 || array->rank < 2 || array->rank > 3 ||
      channels < 1 || channels > 4)
    return false;
  *format = formats[channels - 1];
  return true;
}

const char *png_write_file(Arena *arena, const char *path,
                           const HostArray *array) {
  png_image image = {.version = PNG_IMAGE_VERSION};
  if (!write_format(array, &image.format))
    return "a PNG needs an array of unsigned char, H x W or H x W x 1 to 4";
  if (array->extents[0] < 1 || array->extents[1] < 1 ||
      array->extents[0] > INT32_MAX / 4 || array->extents[1] > INT32_MAX / 4)
    return "a PNG can't have that height and width";
  image.height = (png_uint_32)array->extents[0];
  image.width = (png_uint_32)array->extents[1];
  png_alloc_size_t size_bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  void *bytes = malloc(size_bytes);
  if (!bytes)
    return array_no_memory;
  const char *why = NULL;
  if (!png_image_write_to_memory(&image, bytes, &size_bytes, 0, array->data, 0,
                                 NULL))
    why = arena_strdup(arena, image.message);
  else if (file_write_atomic(arena, path, bytes, size_bytes, &why) == HD_OK)
    why = NULL;
  free(bytes);
  png_image_free(&image);
  return why;
}
