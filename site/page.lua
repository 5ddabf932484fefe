-- page.lua: a filter of pandoc's that makes a page's body of a text of the kit.
--
--     pandoc -f gfm -t html --mathml -L page.lua -M file=handouts/lab3.md -M files=FILES
--
-- FILES lists what may be led to, a line each: PLACE, a tab, and the address in the site; that is
-- empty for what the site does not hold. A link to a text becomes one to its page; a link to
-- what the site lacks becomes the words alone. Besides: a heading takes the name that its
-- <a id="..."> gives, a picture with a line of emphasis below it becomes a figure (a drawing of
-- ours with its words in the page), a quotation is marked as a task or a question, a table
-- may scroll by itself, commands in a transcript stand out. What is in the text, and in no file, it
-- does not decide.

local file, site = '', {}

local function read(path)
  local f = io.open(path, 'r')
  if not f then return nil end
  local text = f:read('a')
  f:close()
  return text
end

local function escape(text)
  return (text:gsub('[&<>]', { ['&'] = '&amp;', ['<'] = '&lt;', ['>'] = '&gt;' }))
end

-- a/b/../c -> a/c; nil when it leads out of the kit
local function normal(path)
  local parts = {}
  for part in path:gmatch('[^/]+') do
    if part == '..' then
      if #parts == 0 then return nil end
      table.remove(parts)
    elseif part ~= '.' then
      table.insert(parts, part)
    end
  end
  return table.concat(parts, '/')
end

local function folder_of(path)
  return path:match('^(.*/)') or ''
end

-- The way from a page of the site to another.
local function relative(from, to)
  while from:find('/', 1, true) and from:match('^[^/]*/') == to:match('^[^/]*/') do
    from, to = from:gsub('^[^/]*/', '', 1), to:gsub('^[^/]*/', '', 1)
  end
  return from:gsub('[^/]', ''):gsub('/', '../') .. to
end

local function address(target)
  if target:match('^%a[%w+.-]*:') or target:match('^#') then return target end
  local path, anchor = target:match('^([^#]*)(#?.*)$')
  local place = normal(folder_of(file) .. path)
  local to = place and site[place]
  return to and to ~= '' and relative(site[file], to) .. anchor or nil
end

function Link(link)
  local to = address(link.target)
  if not to then return link.content end
  link.target = to
  return link
end

function Image(image)
  local to = address(image.src)
  if not to then error(file .. ': there is no picture ' .. image.src) end
  image.src = to
  return image
end

function Header(header)
  header.content = header.content:walk { RawInline = function(raw)
    local name = raw.format == 'html' and raw.text:match('^<a id="([^"]+)">$')
    if name then
      header.identifier = name
      return {}
    end
    return raw.text == '</a>' and {} or nil
  end }
  return header
end

local function stringify(inlines)
  return pandoc.utils.stringify(pandoc.Plain(inlines))
end

-- A drawing of the kit is put into the page: it follows light and dark, and its words can be found.
local function figure(image, caption)
  local path = normal(folder_of(file) .. image.src)
  local drawn = path and path:match('([^/]+)%.svg$')
  local open = '<figure>'
  local picture
  if drawn then
    open = '<figure id="fig-' .. drawn .. '">'
    picture = pandoc.RawBlock('html', (read(path) or error(file .. ': no ' .. path)))
  else
    picture = pandoc.Plain { Image(image) }
  end
  local blocks = { pandoc.RawBlock('html', open), picture }
  if caption then
    table.insert(blocks, pandoc.RawBlock('html', '<figcaption>'))
    table.insert(blocks, pandoc.Plain(caption))
    table.insert(blocks, pandoc.RawBlock('html', '</figcaption>'))
  end
  table.insert(blocks, pandoc.RawBlock('html', '</figure>'))
  return blocks
end

local function only(block, kind)
  local is = block and block.t == 'Para' and #block.content == 1 and block.content[1].t == kind
  return is and block.content[1] or nil
end

-- "**Q3.1** ..." : a question of the handouts, by the number that its answer has, too.
local function question(quotation)
  local first = quotation.content[1]
  local strong = first and first.t == 'Para' and first.content[1]
  if not strong or strong.t ~= 'Strong' then return nil end
  return stringify(strong.content):match('^Q[%dA-Z]+%.%d+$')
end

-- A formula in TeX's words: one that is wider than the page scrolls by itself.
local function formula(tex)
  return { pandoc.RawBlock('html', '<div class="formula" tabindex="0">'),
           pandoc.Plain { pandoc.Math('DisplayMath', tex) },
           pandoc.RawBlock('html', '</div>') }
end

-- The filter's first pass, from above: what stands beside what.
local function arrange(blocks)
  local out, task = {}, false
  local i = 1
  while i <= #blocks do
    local block = blocks[i]
    local image = only(block, 'Image')
    local math = only(block, 'Math')
    if math and math.mathtype == 'DisplayMath' then -- pandoc 3 reads ```math itself
      for _, part in ipairs(formula(math.text)) do
        table.insert(out, part)
      end
    elseif block.t == 'RawBlock' and block.text:match('^<!%-%-') then
      task = block.text:match('^<!%-%- excerpt %S+ TODO ') ~= nil
    elseif image then
      local caption = only(blocks[i + 1], 'Emph')
      for _, part in ipairs(figure(image, caption and caption.content)) do
        table.insert(out, part)
      end
      i = caption and i + 1 or i
    elseif block.t == 'BlockQuote' and (task or question(block)) then
      local name = not task and question(block):lower():gsub('%.', '-') or ''
      local class = task and 'todo' or 'question'
      table.insert(out, pandoc.Div(block.content, { id = name, class = class }))
      task = false
    elseif block.t == 'Table' then
      -- On paper a short one stays whole.
      local short = #block.bodies[1].body <= 8 and ' short' or ''
      table.insert(out, pandoc.RawBlock('html', '<div class="table' .. short .. '" tabindex="0">'))
      table.insert(out, block)
      table.insert(out, pandoc.RawBlock('html', '</div>'))
    else
      table.insert(out, block)
    end
    i = i + 1
  end
  return out
end

local UNITS = { s = true, ms = true, us = true, ['µs'] = true, ns = true, min = true, B = true,
                KB = true, MB = true, GB = true, KiB = true, W = true, MHz = true, GHz = true }

-- A size such as 16 × 8, a share such as 99.5 % and a figure with its unit such as 23.3 s stay in
-- one line, in narrow columns too.
local function keep_together(inlines)
  local function is(i, pattern)
    return inlines[i] and inlines[i].t == 'Str' and inlines[i].text:match(pattern) ~= nil
  end
  for i = 2, #inlines - 1 do
    local after = is(i - 1, '%d$')
    local unit = is(i + 1, '') and inlines[i + 1].text:match('^(.-)[.,;:)]*$')
    if inlines[i].t == 'Space' and after and (is(i + 1, '^%%') or UNITS[unit]) then
      inlines[i] = pandoc.Str('\u{a0}')
    elseif inlines[i].t == 'Space' and after and (is(i + 1, '^×$') or is(i + 1, '^x$')) and
        inlines[i + 2] and inlines[i + 2].t == 'Space' and is(i + 3, '^%d') then
      inlines[i] = pandoc.Str('\u{a0}')
      inlines[i + 2] = pandoc.Str('\u{a0}')
    end
  end
  return inlines
end

-- Some versions of pandoc say type="1" of a list with numbers, which HTML5 does not know.
function OrderedList(list)
  list.listAttributes = pandoc.ListAttributes(list.listAttributes.start)
  return list
end

-- An option stays in one line: a browser would break it after its first hyphens.
function Code(code)
  if code.text:match('^%-') and #code.text <= 24 then code.classes:insert('option') end
  return code
end

-- A formula; a transcript: what is typed, and what is answered.
function CodeBlock(code)
  if code.classes[1] == 'cuda' then
    code.classes = { 'cpp' }
    return code
  end
  if code.classes[1] == 'math' then return formula(code.text) end
  if code.classes[1] ~= 'console' then return nil end
  local lines = {}
  for line in (code.text .. '\n'):gmatch('(.-)\n') do
    line = escape(line)
    table.insert(lines, line:match('^%$ ') and '<b>' .. line .. '</b>' or line)
  end
  return pandoc.RawBlock('html', '<pre class="console"><code>' .. table.concat(lines, '\n') ..
                         '</code></pre>')
end

local function begin(meta)
  file = stringify(meta.file)
  for line in read(stringify(meta.files)):gmatch('[^\n]+') do
    local place, to = line:match('^(.-)\t(.*)$')
    site[place] = to
  end
end

return {
  { Meta = begin },
  { Blocks = arrange },
  { Inlines = keep_together },
  { Link = Link, Image = Image, Header = Header, Code = Code, CodeBlock = CodeBlock,
    OrderedList = OrderedList },
}
