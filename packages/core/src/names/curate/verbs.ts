/** What a name may begin with, and the words that mean it. The first of each line is the one that is used. */
const FAMILIES = `
add append insert attach
analyze analyse inspect examine review
answer reply respond
approve accept
archive
assign
backup
book reserve
build compile
calculate compute
cancel abort
classify categorize categorise label
clean cleanup tidy
clone
close
combine merge join concatenate
commit
compare diff
compress zip
convert transform turn
copy duplicate
count
create make
delete remove erase drop
deploy release publish
download
encode
decode
export
extract
fetch retrieve pull
filter
find locate
format prettify
generate produce
get
group
import ingest
install
list enumerate show display
load
lock
monitor watch track
move
open
notify alert inform
order buy purchase
parse
patch
ping
play
plot draw chart
post
print
push
query
rank
read lire lis
recommend suggest
rename
replace substitute
report
resize
restart reboot
resolve
run execute launch
schedule plan
search look
select choose pick
send email mail message
set configure
share
sort
split
start
stop
store save persist
submit
subscribe
sum total
summarize summarise
sync synchronize synchronise
tag
test
translate
trim
unlock
update edit modify change
upload
validate check verify
write
`;

const BY_WORD: ReadonlyMap<string, string> = new Map(
  FAMILIES.trim()
    .split("\n")
    .flatMap((line) => {
      const words = line.split(" ");
      return words.map((word): [string, string] => [word, words[0] as string]);
    }),
);

/** The verb a word is a form of, as a name would have it: `reads`, `reading` → `read`. */
export function findVerb(word: string): string | undefined {
  const stems = [
    word,
    word.replace(/s$/, ""),
    word.replace(/es$/, ""),
    word.replace(/ies$/, "y"),
    word.replace(/ing$/, ""),
    word.replace(/ing$/, "e"),
    word.replace(/(.)\1ing$/, "$1"),
  ];
  return stems.map((stem) => BY_WORD.get(stem)).find((verb) => verb !== undefined);
}
